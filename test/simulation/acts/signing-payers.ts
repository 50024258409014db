import type { Random } from '../random.js';
import { assetOf } from './amounts.js';
import type { Answer } from './calls.js';
import { memoryOf, type KnownRequest } from './memory.js';
import { payable } from './payable.js';
import { isSession, readSession, type Session, type SessionRequest } from './sessions.js';
import { signTransfer, type AskedTransfer } from './signed-transfers.js';
import type { Act, Call, Merchant, SimulatedAsset, World } from './world.js';

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

/** A payer with a key draws a session whose asset is a token. */
async function signable(
  world: World,
  merchant: Merchant,
  random: Random,
): Promise<SessionRequest | undefined> {
  if (world.network.payerKeys.length === 0) return undefined;
  const found = await payable(world, merchant, random, { wanted: isToken, hasSession: true });
  return found !== undefined && isSession(found.request) ? found.request : undefined;
}

const bySignature: Act = {
  name: 'pay by a signature',
  weight: 6,
  async attempt(world, merchant, random) {
    const request = await signable(world, merchant, random);
    if (request === undefined) return false;
    if (await signAndSend(world, merchant, random, request)) return true;
    // The domain of a token is asked for in the background.
    const again = () => signAndSend(world, merchant, random, request).then(() => undefined);
    world.later(random.whole(5, 120) * 1_000, again);
    return true;
  },
};

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

/** Mostly as asked for; now and then for less or more, too soon over, or by a key of somebody else. */
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

const byHeader: Act = {
  name: 'pay by one header',
  weight: 5,
  async attempt(world, merchant, random) {
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
      return true;
    }
    const { asset: contract, amount: value, payTo: to, network, extra } = accepted;
    const domain = { name: '', version: '', ...extra, chainId: Number(network.split(':')[1]), contract };
    const payload = await someSignature(world, request, { to, value, domain }, random);
    const text = JSON.stringify({ x402Version: 2, accepted, payload });
    const headers = { 'payment-signature': Buffer.from(text).toString('base64') };
    const { nonce } = payload.authorization;
    await send(world, merchant, random, request, nonce, { method: 'GET', path, query, headers });
    return true;
  },
};

/** Whoever knows a signature can send it again at any time. */
const again: Act = {
  name: 'send an old signature again',
  weight: 1,
  async attempt(world, merchant, random) {
    const signatures = memoryOf(merchant).signatures.all();
    if (signatures.length === 0) return false;
    await world.call(random.oneOf(signatures).call);
    return true;
  },
};

export const signingPayerActs: readonly Act[] = [bySignature, byHeader, again];
