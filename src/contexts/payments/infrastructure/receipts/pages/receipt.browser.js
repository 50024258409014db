// @ts-check
// Shows the print button. Without this script, the payer prints with the browser's menu.
(() => {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-print]'))) {
    button.hidden = false;
    button.addEventListener('click', () => window.print());
  }
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-copy]')))
    button.hidden = false;
})();
