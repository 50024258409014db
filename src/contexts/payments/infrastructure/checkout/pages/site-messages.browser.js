// @ts-check
// Posts where the payment stands to the site that shows this page in a frame, or that has opened it (docs/api/checkout.md,
// "Messages"). The window's name names the site, and counts only where the point of sale lists it.
(() => {
  const main = /** @type {HTMLElement | null} */ (document.querySelector('main[data-sites]'));
  const isFramed = window.parent !== window;
  const site = isFramed ? window.parent : window.opener;
  const [word, origin = ''] = window.name.split(' ');
  if (!main || !site || word !== 'payment-collection') return;
  if (!main.dataset.sites?.split(' ').includes(origin)) return;

  let { status } = main.dataset;
  const session_id = location.pathname.split('/')[2];
  /** @param {string} event */
  const post = (event) => site.postMessage({ type: 'payment-collection', event, session_id, status }, origin);

  new window.MutationObserver(() => {
    if (main.dataset.status === status) return;
    status = main.dataset.status;
    post('status');
  }).observe(main, { attributeFilter: ['data-status'] });
  document.addEventListener('click', (event) => {
    const way = /** @type {Element} */ (event.target).closest('a#return');
    if (!way) return;
    event.preventDefault();
    post('close');
    // Whoever does not close the page sees the merchant's in its place.
    setTimeout(() => location.assign(/** @type {HTMLAnchorElement} */ (way).href), 1_000);
  });
  if (isFramed)
    document.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') post('close');
    });
  post('ready');
})();
