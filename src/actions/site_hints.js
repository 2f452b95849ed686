// What a document says of where its site's files are: its base address, and its meta elements in order.
({
  base: document.baseURI,
  meta: Array.from(document.head ? document.head.querySelectorAll('meta[name]') : [])
    .slice(0, 500)
    .map((meta) => [String(meta.getAttribute('name')), String(meta.getAttribute('content') || '').slice(0, 2000)]),
})
