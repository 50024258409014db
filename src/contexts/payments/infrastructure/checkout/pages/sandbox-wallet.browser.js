// @ts-check
// Test money wallet in the sandbox's pages (EIP-6963, EIP-1193). The sandbox's wallet process holds its key.
(() => {
  const icon =
    'data:image/svg+xml,' +
    encodeURIComponent(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#b45309"/><path d="M6 8h12v9H6zM14 11h4v3h-4z" fill="#fff"/></svg>',
    );
  const info = {
    uuid: 'b5a0a2a4-6f8e-4d1c-9a57-2f3f6f0a7c11',
    name: 'Sandbox wallet',
    icon,
    rdns: 'example.sandbox.wallet',
  };
  const ASKED = ['eth_sendTransaction', 'eth_signTypedData_v4'];

  /** @param {number} code @param {string} message */
  const refusal = (code, message) => Object.assign(new Error(message), { code });

  /** @param {{ method: string, params?: unknown[] }} asked */
  async function request({ method, params = [] }) {
    // Displays no dialog in another site's frame.
    const isAsked = ASKED.includes(method) && window.top === window;
    if (isAsked && !window.confirm(`Sandbox wallet: ${method}\n${JSON.stringify(params, undefined, 1)}`))
      throw refusal(4001, 'The sandbox wallet’s user declined.');
    const answer = await fetch(`${location.pathname}/sandbox-wallet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ request: JSON.stringify({ method, params }) }),
    });
    const { result, error } = await answer.json().catch(() => ({ error: {} }));
    if (error) throw refusal(error.code ?? -32603, error.message ?? 'The sandbox wallet does not answer.');
    return result;
  }

  const detail = Object.freeze({ info: Object.freeze(info), provider: { request, on() {} } });
  const announce = () => window.dispatchEvent(new window.CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
})();
