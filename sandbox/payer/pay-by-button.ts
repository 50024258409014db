import { createServer } from 'node:http';
import type { SandboxFile } from '../folder/sandbox-folder.js';
import { CannotStart, waitUntil } from '../processes/child-process.js';
import { closeServer, listenOn } from '../processes/loopback-server.js';
import { readSession, type PayerSession, type Speaking } from './payer-session.js';

/** Origin of the shop's page. The sandbox's points of sale list it in `frame_origins`. */
export const SHOP_PAGE = 'http://127.0.0.1:8549';
const LOOK_EVERY_MS = 1_000;
const PAYABLE = ['pending', 'created'];

/**
 * Serves a shop page with the button (clients/checkout-button) until a person has paid. An automated click would
 * prove no more than a transfer does.
 */
export async function payByButton(
  session: PayerSession,
  sandbox: SandboxFile,
  { output, say }: Speaking,
): Promise<void> {
  const server = createServer((request, response) => {
    const isPage = request.url === '/' && request.method === 'GET';
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(isPage ? shopPage(session) : '');
  });
  const { hostname, port } = new URL(SHOP_PAGE);
  // If the port is in use, the button opens a tab instead of a dialog.
  const origin = await listenOn(server, hostname, Number(port)).catch(() => listenOn(server, hostname, 0));
  say(
    `  button    open ${origin}/ in a browser, press it, and pay there: "This browser" has a wallet of the sandbox`,
  );
  let { status } = session;
  try {
    const isPaid = async () => {
      ({ status } = await readSession(sandbox, session.session_id));
      return !PAYABLE.includes(status);
    };
    const options = { timeoutMs: Infinity, everyMs: LOOK_EVERY_MS };
    await output.withProgress('Waiting for the payment', () => waitUntil(isPaid, options));
  } finally {
    await closeServer(server);
  }
  if (status === 'expired' || status === 'failed')
    throw new CannotStart(`The checkout was not paid: it is ${status}.`);
  say(`  paid      the checkout is ${status}`);
}

/** The button's README has an example that also displays the status. */
export function shopPage({ hosted_checkout_url: url }: Pick<PayerSession, 'hosted_checkout_url'>): string {
  return `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<title>A shop of the sandbox</title>
<h1>A shop of the sandbox</h1>
<payment-collection-button url="${url}">Pay now</payment-collection-button>
<script type="module" src="${new URL('/button.js', url).href}"></script>
</html>
`;
}
