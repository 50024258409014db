// @ts-check
// Posts where the payment stands to the site that shows this page in a frame, or that has opened it (docs/reference/hosted-page.md,
// "Messages"). The window's name names the site, and counts only where the point of sale lists it.
(() => {
  const main = /** @type {HTMLElement | null} */ (document.querySelector('main[data-sites]'));
  const isFramed = window.parent !== window;
  const site = isFramed ? window.parent : window.opener;
  const [type, origin = ''] = window.name.split(' ');
  if (!main || !site || type !== 'payment-collection') return;
  const { dataset } = main;
  if (!dataset.sites?.split(' ').includes(origin)) return;

  let { status } = dataset;
  const session_id = location.pathname.split('/')[2];
  /** @param {string} event */
  const post = (event) =>
    site.postMessage({ type, event, session_id, status, fulfilled: !!dataset.fulfilled }, origin);

  new window.MutationObserver(() => {
    if (dataset.status === status) return;
    status = dataset.status;
    post('status');
  }).observe(main, { attributeFilter: ['data-status'] });
  document.addEventListener('click', (event) => {
    const way = /** @type {Element} */ (event.target).closest('a#return');
    if (!way) return;
    event.preventDefault();
    post('close');
    // Where nobody closes the page, the merchant's replaces it.
    setTimeout(() => location.assign(/** @type {HTMLAnchorElement} */ (way).href), 1_000);
  });
  document.addEventListener('keydown', ({ key }) => {
    if (isFramed && key === 'Escape') post('close');
  });
  post('ready');
})();
