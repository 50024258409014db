// @ts-check
// The button that prints. Without it the browser's own menu does.
(() => {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-print]'))) {
    button.hidden = false;
    button.addEventListener('click', () => window.print());
  }
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-copy]')))
    button.hidden = false;
})();
