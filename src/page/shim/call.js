/* Calls the entry of the shim named first: on the element that it is called on, else on none. */
function (entry, args) {
  const shim = globalThis.gannet;
  return this === undefined || this === globalThis || !(this instanceof Node) ? shim[entry](...args) : shim[entry](this, ...args);
}
