import { privateKeyToAccount } from 'viem/accounts';
import type { Random } from '../random.js';
import { hex, type Answer } from './calls.js';
import { assetOf } from './amounts.js';
import { memoryOf, type KnownRequest } from './memory.js';
import { payable } from './payable.js';
import { isSession, readSession, type Session, type SessionRequest } from './checkouts.js';
import { act, type Act, type Call, type Merchant, type SimulatedAsset, type World } from './world.js';

type Hex = `0x${string}`;

export interface AskedTransfer {
  readonly to: string;
  readonly value: string;
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly contract: string;
  };
}

export interface SignedTransfer {
  readonly authorization: {
    readonly from: string;
    readonly to: string;
    readonly value: string;
    readonly validAfter: string;
    readonly validBefore: string;
    readonly nonce: Hex;
  };
  readonly signature: Hex;
}

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** A payer signs a transfer for others to send (EIP-3009), under a drawn nonce. @param validBefore Unix seconds */
export async function signTransfer(
  key: Hex,
  { to, value, domain }: AskedTransfer,
  validBefore: number,
  random: Random,
): Promise<SignedTransfer> {
  const account = privateKeyToAccount(key);
  const nonce: Hex = `0x${hex(random, 32)}`;
  const times = { validAfter: '0', validBefore: String(validBefore) };
  const { name, version, chainId, contract } = domain;
  const signature = await account.signTypedData({
    domain: { name, version, chainId, verifyingContract: contract as Hex },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...{ from: account.address, to: to as Hex, value: BigInt(value), nonce },
      ...{ validAfter: 0n, validBefore: BigInt(validBefore) },
    },
  });
  return { authorization: { from: account.address, to, value, ...times, nonce }, signature };
}

const isToken = ({ token }: SimulatedAsset) => token !== null;

interface SigningSession extends Session {
  readonly selected?: Session['selected'] & {
    readonly signature_payment?: {
      readonly to: string;
      readonly value: string;
      readonly domain: {
        readonly name: string;
        readonly version: string;
        readonly chain_id: number;
        readonly verifying_contract: string;
      };
    };
  };
}

async function signable(
  world: World,
  merchant: Merchant,
  random: Random,
): Promise<SessionRequest | undefined> {
  if (world.network.payerKeys.length === 0) return undefined;
  const found = await payable(world, merchant, random, { wanted: isToken, hasSession: true });
  return found !== undefined && isSession(found.request) ? found.request : undefined;
}

const bySignature: Act = act('pay by a signature', 6, async (world, merchant, random) => {
  const request = await signable(world, merchant, random);
  if (request === undefined) return false;
  if (await signAndSend(world, merchant, random, request)) return;
  // The domain of a token is asked for in the background.
  const again = () => signAndSend(world, merchant, random, request).then(() => undefined);
  world.later(random.whole(5, 120) * 1_000, again);
});

async function signAndSend(
  world: World,
  merchant: Merchant,
  random: Random,
  request: SessionRequest,
): Promise<boolean> {
  const { selected } = ((await readSession(world, request)) as SigningSession | undefined) ?? {};
  const asked = selected?.signature_payment;
  if (asked === undefined) return false;
  const { name, version, chain_id: chainId, verifying_contract: contract } = asked.domain;
  const transfer = { to: asked.to, value: asked.value, domain: { name, version, chainId, contract } };
  const { authorization, signature } = await someSignature(world, request, transfer, random);
  const { from, value, validAfter: valid_after, validBefore: valid_before, nonce } = authorization;
  const body = { authorization: { from, value, valid_after, valid_before, nonce }, signature };
  const path = `/public/checkout/${request.sessionId}/authorization`;
  await send(world, merchant, random, request, nonce, { method: 'POST', path, body });
  return true;
}

function someSignature(
  world: World,
  request: KnownRequest,
  asked: AskedTransfer,
  random: Random,
): ReturnType<typeof signTransfer> {
  const key = random.oneOf(world.network.payerKeys);
  const until = Math.floor(request.expiresAt / 1_000) + random.oneOf([60, 3_600, 86_400]);
  const now = Math.floor(world.now() / 1_000);
  const validBefore = random.chance(0.08) ? now + random.whole(-10, 200) : until;
  const value = random.chance(0.85)
    ? asked.value
    : String((BigInt(asked.value) * BigInt(random.whole(1, 110))) / 100n + 1n);
  const to = random.chance(0.04) ? random.oneOf(world.network.strangers) : asked.to;
  return signTransfer(key, { ...asked, to, value }, validBefore, random);
}

/** Sends what was signed, and again later: it is one payment all the same. */
async function send(
  world: World,
  merchant: Merchant,
  random: Random,
  request: SessionRequest,
  nonce: string,
  call: Call,
): Promise<Answer> {
  memoryOf(merchant).signatures.put({ id: nonce, call });
  const answer = random.chance(0.1)
    ? (await Promise.all([world.call(call), world.call(call)]))[0]
    : await world.call(call);
  if (answer === 'lost' || answer.status === 200 || answer.status === 503) request.payments += 1;
  const sendAgain = async () => void (await world.call(call));
  if (random.chance(0.4)) world.later(random.whole(20, 300) * 1_000, sendAgain);
  // By then the service has seen it.
  if (random.chance(0.5)) world.later(random.whole(600, 3_000) * 1_000, sendAgain);
  return answer;
}

interface Required {
  readonly accepts: readonly {
    readonly network: string;
    readonly amount: string;
    readonly asset: string;
    readonly payTo: string;
    readonly extra?: { readonly name: string; readonly version: string };
  }[];
}

const byHeader: Act = act('pay by one header', 5, async (world, merchant, random) => {
  const request = await signable(world, merchant, random);
  if (request === undefined) return false;
  const path = `/public/checkout/${request.sessionId}/x402`;
  const coin = request.options.find((option) => !isToken(assetOf(world, option)));
  const option = coin !== undefined && random.chance(0.3) ? coin : request.options.at(-1);
  const query: Record<string, string> =
    option !== undefined && random.chance(0.4) ? { payment_option: option } : {};
  const offer = await world.call({ method: 'GET', path, query });
  const accepted = offer !== 'lost' && offer.status === 402 && (offer.body as Required).accepts[0];
  if (!accepted) {
    await readSession(world, request);
    return;
  }
  const { asset: contract, amount: value, payTo: to, network, extra } = accepted;
  const domain = { name: '', version: '', ...extra, chainId: Number(network.split(':')[1]), contract };
  const payload = await someSignature(world, request, { to, value, domain }, random);
  const text = JSON.stringify({ x402Version: 2, accepted, payload });
  const headers = { 'payment-signature': Buffer.from(text).toString('base64') };
  const { nonce } = payload.authorization;
  await send(world, merchant, random, request, nonce, { method: 'GET', path, query, headers });
});

const again: Act = act('send an old signature again', 1, async (world, merchant, random) => {
  const signatures = memoryOf(merchant).signatures.all();
  if (signatures.length === 0) return false;
  await world.call(random.oneOf(signatures).call);
});

export const signingPayerActs: readonly Act[] = [bySignature, byHeader, again];
