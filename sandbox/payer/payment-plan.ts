import type { PaymentCollectionClient } from '#client/payment-collection-client.js';
import { PaymentCollectionError } from '#client/payment-collection-error.js';
import { keyLookupIn, verifyNaspipToken } from '#shared/naspip/naspip-token.js';
import type { NaspipPayment } from '#shared/naspip/naspip-payload.js';
import { NaspipTokenInvalid } from '#shared/naspip/naspip-token-invalid.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { isUuid } from '#shared/kernel/ids.js';
import { isBitcoin } from '../bitcoin/bitcoin-network.js';
import { isTron } from '../tron/tron-network.js';
import { merchantClient } from '../merchant/merchant-client.js';
import { CannotStart } from '../processes/child-process.js';
import {
  checkoutSessionOf,
  checkoutSessionOfToken,
  followCheckout,
  type Instruction,
} from './follow-checkout.js';
import {
  amountToPay,
  assetToPay,
  isNativeCoin,
  units,
  namedAsset,
  type RequestedAmount,
} from './payment-asset.js';
import type { PayArguments } from './pay-arguments.js';
import type { SandboxAsset, SandboxFile, SandboxNetwork } from '../folder/sandbox-folder.js';

/** The transfers that the wallet will send. Amounts are in smallest units. */
export interface PaymentPlan {
  readonly requestId: string;
  /** The demonstration point of sale that accepts the requested asset. */
  readonly posId: string;
  readonly network: SandboxNetwork;
  /** The asset to send. May differ from the requested asset, to pay wrongly on purpose. */
  readonly asset: SandboxAsset;
  readonly address: string;
  readonly merchant: string;
  readonly asked: RequestedAmount;
  readonly transfers: readonly bigint[];
  readonly expiresAt: Date;
  /** The session of a checkout. Absent if the token itself contains the payment. */
  readonly session?: string;
}

export async function planPayment(sandbox: SandboxFile, args: PayArguments, now: Date): Promise<PaymentPlan> {
  const named = namedAsset(sandbox, args);
  const instruction = await instructionOf(sandbox, args, named, now);
  const { network, asset: askedAsset } = assetOf(sandbox, instruction.uniqueAssetId);
  const asset = assetToPay(network, named, askedAsset);
  const asked = { asset: askedAsset, amount: units(instruction.amount ?? '', askedAsset) };
  return {
    requestId: instruction.id,
    posId: posOf(sandbox, network, askedAsset),
    network,
    asset,
    address: instruction.address,
    merchant: instruction.merchant ?? 'unnamed',
    asked,
    transfers: split(amountToPay(args, asset, asked), args.parts, asset),
    expiresAt: instruction.expiresAt,
    ...(instruction.session !== undefined && { session: instruction.session }),
  };
}

type PaymentInstruction = Pick<NaspipPayment, 'id' | 'address' | 'uniqueAssetId' | 'amount' | 'expiresAt'> & {
  merchant?: string | undefined;
  session?: string;
};

async function instructionOf(
  sandbox: SandboxFile,
  args: PayArguments,
  named: SandboxAsset | undefined,
  now: Date,
): Promise<PaymentInstruction> {
  const client = merchantClient(sandbox);
  const checkout = checkoutSessionOf(sandbox, args.what);
  const follow = async (session: string) => ({
    ...fromCheckout(await followCheckout(client, session, named)),
    session,
  });
  if (checkout !== undefined) return follow(checkout);
  const token = isUuid(args.what) ? await tokenOfRequest(client, sandbox, args.what) : args.what;
  const keys = keyLookupIn(await client.get('/.well-known/naspip-keys'));
  const { payload } = verified(() => verifyNaspipToken(token, keys, now));
  if ('payment' in payload) return { ...payload.payment, merchant: payload.order?.merchant?.name };
  return follow(checkoutSessionOfToken(sandbox, payload.url));
}

function fromCheckout({ payment, order }: Instruction): PaymentInstruction {
  const { id, address, unique_asset_id: uniqueAssetId, amount, expires_at } = payment;
  const instruction = { id, address, uniqueAssetId, expiresAt: new Date(expires_at) };
  return { ...instruction, ...(amount !== undefined && { amount }), merchant: order?.merchant?.name };
}

async function tokenOfRequest(
  client: PaymentCollectionClient,
  sandbox: SandboxFile,
  id: string,
): Promise<string> {
  for (const posId of [sandbox.pos_id, sandbox.native_pos_id, sandbox.bitcoin_pos_id]) {
    if (posId === null) continue;
    try {
      return (await client.pointOfSale(posId).readPayment(id)).token;
    } catch (error) {
      if (!(error instanceof PaymentCollectionError) || error.code !== 'not_found') throw error;
    }
  }
  throw new CannotStart(
    `The demonstration shop has no payment request ${id}. Create one, or pay by its token.`,
  );
}

function verified<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NaspipTokenInvalid)) throw error;
    const { reason, message } = error;
    if (reason === 'token_expired' || reason === 'payment_expired') {
      throw new CannotStart('This payment request has expired. Create another one and pay that.');
    }
    if (reason === 'token_malformed' || reason === 'key_unknown') {
      throw new CannotStart(
        'This is neither the id of a payment request nor a payment token of this sandbox, nor a checkout ' +
          'of it. A token begins with "naspip;". Put it in quotes, because a semicolon ends a shell command.',
      );
    }
    throw new CannotStart(`A wallet rejects this token. ${message}.`);
  }
}

function posOf(sandbox: SandboxFile, network: SandboxNetwork, asset: SandboxAsset): string {
  if (isBitcoin(network)) return sandbox.bitcoin_pos_id ?? sandbox.pos_id;
  if (isTron(network)) return sandbox.pos_id;
  return (isNativeCoin(asset) && sandbox.native_pos_id) || sandbox.pos_id;
}

function assetOf(
  sandbox: SandboxFile,
  uniqueAssetId: string,
): { network: SandboxNetwork; asset: SandboxAsset } {
  for (const network of sandbox.networks) {
    const asset = network.assets.find(
      (one) => one.unique_asset_id.toLowerCase() === uniqueAssetId.toLowerCase(),
    );
    if (asset !== undefined) return { network, asset };
  }
  const known = sandbox.networks.map(({ network }) => network).join(', ');
  throw new CannotStart(
    `This token asks for ${uniqueAssetId}, but the sandbox wallet pays only on: ${known}.`,
  );
}

/** The last part includes the remainder. */
function split(total: bigint, parts: number, { decimals, symbol }: SandboxAsset): bigint[] {
  const part = total / BigInt(parts);
  if (part === 0n) {
    throw new CannotStart(
      `${formatAmount(total, decimals)} ${symbol} cannot be split into ${parts} transfers.`,
    );
  }
  return Array.from({ length: parts }, (_, i) => (i === parts - 1 ? total - part * BigInt(parts - 1) : part));
}
