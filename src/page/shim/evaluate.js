/* Evaluates an expression of the user's on an element: `element` is it, and a function is called with it. */
function () {
  const element = this;
  const result = (__EXPRESSION__
  );
  return typeof result === 'function' ? result.call(element, element) : result;
}
