// @ts-check
// Finds the browser's wallets (EIP-6963, else `window.ethereum`). Shows the wallet tab and loads the payment script only if there is a
// wallet.
(() => {
  /** @type {{ info: object, provider: object }[]} */
  const found = [];
  const loaded = new Set();

  /** @param {string | undefined} script its path and its hash */
  function loadScript(script) {
    if (!script || loaded.has(script)) return;
    loaded.add(script);
    const element = document.createElement('script');
    [element.src, element.integrity] = script.split(' ');
    document.head.append(element);
  }

  function loadNeededScripts() {
    const part = document.getElementById('browser-wallet');
    loadScript(part?.dataset.sandbox);
    if (found.length > 0) loadScript(part?.dataset.script);
  }

  const main = document.querySelector('main[data-poll]');
  if (!main) return;
  Object.assign(window, { browserWallets: found });
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = /** @type {{ detail?: any }} */ (event).detail ?? {};
    if (typeof provider?.request !== 'function' || found.some((one) => one.provider === provider)) return;
    found.push({ info: info ?? {}, provider });
    loadNeededScripts();
  });
  new window.MutationObserver(loadNeededScripts).observe(main, { childList: true, subtree: true });
  loadNeededScripts();
  window.dispatchEvent(new window.Event('eip6963:requestProvider'));
  setTimeout(() => {
    const provider = /** @type {{ ethereum?: any }} */ (window).ethereum;
    if (found.length === 0 && typeof provider?.request === 'function') found.push({ info: {}, provider });
    loadNeededScripts();
  }, 300);
})();
