// @ts-check
// The print button. Without this script, the browser's menu prints.
(() => {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-print]'))) {
    button.hidden = false;
    button.addEventListener('click', () => window.print());
  }
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-copy]')))
    button.hidden = false;
})();
