import { PaymentCollectionError } from '../payment-collection-error.js';
import type { PaymentCollectionClient } from '../payment-collection-client.js';
import { CommandFailed } from './command-failed.js';
import { requireWallet, type Connection, type SandboxFile } from './connection.js';
import { printMessageToStderr } from './terminal.js';
import { payFromWallet, type Transfer } from './wallet.js';

export interface PayArguments {
  /** Id of a payment request, payment token, URL or id of a checkout, or URL of a payment link. */
  readonly what: string;
  /** Amount in whole units of the asset. Default: the requested amount. */
  readonly amount?: string | undefined;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SESSION = /^(?:https?:\/\/.*\/checkout\/)?([A-Za-z0-9_-]{32})(?:\/payment)?\/?$/;
const LINK = /^https?:\/\/.*\/link\/([A-Za-z0-9_-]{22,23})\/?$/;

/** Pays a payment request from the sandbox's wallet. @throws CommandFailed */
export async function pay(connection: Connection, { what, amount }: PayArguments): Promise<void> {
  const sandbox = requireWallet(connection);
  const asked = await transferOf(connection.client, sandbox, what.trim());
  const paid = await payFromWallet(sandbox, { ...asked, ...(amount !== undefined && { amount }) });
  printMessageToStderr(`The sandbox's wallet pays ${paid}.`);
}

function transferOf(client: PaymentCollectionClient, sandbox: SandboxFile, what: string): Promise<Transfer> {
  if (ID.test(what)) return ofRequest(client, sandbox, what);
  const session = SESSION.exec(what)?.[1];
  if (session !== undefined) return ofSession(client, session);
  const code = LINK.exec(what)?.[1];
  if (code !== undefined) return ofLink(client, code);
  if (!what.startsWith('naspip;')) {
    throw new CommandFailed(
      'Specify the id of a payment request, the page of a checkout or payment link, or a payment token in quotes ("naspip;…").',
    );
  }
  return ofToken(client, what);
}

async function ofRequest(
  client: PaymentCollectionClient,
  sandbox: SandboxFile,
  id: string,
): Promise<Transfer> {
  for (const pos of [sandbox.pos_id, sandbox.native_pos_id]) {
    if (pos === null) continue;
    const payment = await client
      .pointOfSale(pos)
      .readPayment(id)
      .catch((error: unknown) => {
        if (!(error instanceof PaymentCollectionError && error.status === 404)) throw error;
      });
    if (payment?.session_id !== undefined) return ofSession(client, payment.session_id);
    if (payment?.address !== undefined && payment.unique_asset_id !== undefined) {
      return { address: payment.address, uniqueAssetId: payment.unique_asset_id, amount: payment.amount };
    }
  }
  throw new CommandFailed(`The sandbox has no payment request ${id}.`);
}

/** Returns the payment of a checkout. Selects the first payment option if none is selected. */
async function ofSession(client: PaymentCollectionClient, sessionId: string): Promise<Transfer> {
  const ask = (query: { payment_option?: string }) =>
    client.get('/public/checkout/{sessionId}/payment', { params: { path: { sessionId }, query } });
  const open = await ask({});
  const option = open.payment_options?.[0];
  const { payment } =
    open.payment === undefined && option !== undefined ? await ask({ payment_option: option }) : open;
  if (payment === undefined) throw new CommandFailed('This checkout has no payment options.');
  return { address: payment.address, uniqueAssetId: payment.unique_asset_id, amount: payment.amount };
}

/** Opens the payment link as a new payer. */
async function ofLink(client: PaymentCollectionClient, code: string): Promise<Transfer> {
  const params = { path: { code } };
  const { checkout_session: session } = await client.post('/public/payment-links/{code}/checkout', {
    params,
  });
  return ofSession(client, session.session_id);
}

async function ofToken(client: PaymentCollectionClient, token: string): Promise<Transfer> {
  const { payment, url } = await client.post('/v1/naspip/read', { body: { token } });
  const session = SESSION.exec(url ?? '')?.[1];
  if (session !== undefined) return ofSession(client, session);
  const { address, unique_asset_id: uniqueAssetId, amount } = payment ?? {};
  if (address === undefined || uniqueAssetId === undefined || amount === undefined) {
    throw new CommandFailed('This token contains no payment.');
  }
  return { address, uniqueAssetId, amount };
}
