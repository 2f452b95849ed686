/* Called on the host of a closed shadow root: from now on the shim reads the root as an open one. */
function (root) {
  globalThis.gannet.adopt(this, root);
}
