// @ts-check
// Posts the payment status to the site that frames or opened this page (docs/reference/hosted-page.md, "Messages"). The window's name
// contains the site's origin, which must be listed by the point of sale.
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
    const way = /** @type {Element} */ (event.target).closest('a#return, a#back');
    if (!way) return;
    event.preventDefault();
    post('close');
    // If the site does not close the page, redirect to the merchant.
    setTimeout(() => location.assign(/** @type {HTMLAnchorElement} */ (way).href), 1_000);
  });
  document.addEventListener('keydown', ({ key }) => {
    if (isFramed && key === 'Escape') post('close');
  });
  post('ready');
})();
