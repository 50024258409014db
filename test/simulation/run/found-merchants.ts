import { Secret, TOTP } from 'otpauth';
import type { Call, Merchant } from '../acts/world.js';
import type { AnswerFact } from '../facts/fact.js';
import { drawnAddress } from '../outside/evm-chain-side.js';
import type { Random } from '../random.js';
import type { History } from './history.js';

interface Founding {
  readonly history: History;
  readonly random: Random;
  now(): number;
  operator(...words: readonly string[]): Promise<unknown>;
  call(request: Call): Promise<AnswerFact | 'lost'>;
}

interface Founded {
  readonly id: string;
  readonly account_id: string;
}

/** An organization as the operator makes it: an account or two, credentials, settlement terms and an Owner. */
export async function foundMerchant(place: Founding, number: number, network: string): Promise<Merchant> {
  const { history, random } = place;
  const name = `Merchant ${number}`;
  const created = (await place.operator(
    ...['organization', 'create', '--name', name, '--support-contact', 'help@shop.example'],
  )) as Founded;
  const organizationId = created.id;
  const of = ['--organization', organizationId];
  history.fact({ kind: 'organization', at: place.now(), organizationId, accountId: created.account_id });
  await setTerms(place, organizationId, network);
  const merchant: Merchant = {
    organizationId,
    accounts: [{ accountId: created.account_id, pointsOfSale: [] }],
    credentials: [],
    memory: new Map(),
    owner: await joinOwner(place, of, number),
  };
  for (const roles of ['read,write', 'read'] as const) {
    const credential = ['credential', 'create', ...of, '--name', `${name} ${roles}`, '--roles', roles];
    const { api_key, api_secret } = (await place.operator(...credential)) as {
      api_key: string;
      api_secret: string;
    };
    history.fact({
      kind: 'credential',
      at: place.now(),
      keyId: api_key,
      organizationId,
      roles: roles.split(',') as ('read' | 'write')[],
      allowedIps: [],
      isEnabled: true,
      isGone: false,
    });
    merchant.credentials.push({ keyId: api_key, secret: api_secret });
  }
  if (random.chance(0.5)) {
    const { id } = (await place.operator('account', 'create', ...of, '--name', `${name} abroad`)) as Founded;
    history.fact({ kind: 'organization', at: place.now(), organizationId, accountId: id });
    merchant.accounts.push({ accountId: id, pointsOfSale: [] });
  }
  return merchant;
}

async function setTerms(place: Founding, organizationId: string, network: string): Promise<void> {
  const { random } = place;
  const settlementAddress = drawnAddress(random);
  const feeBasisPoints = random.oneOf([0, 50, 100, 333]);
  const fee = feeBasisPoints > 0 ? { feeRecipient: drawnAddress(random) } : {};
  await place.operator(
    ...['settlement-terms', 'set', '--organization', organizationId, '--network', network],
    ...['--address', settlementAddress, '--fee-basis-points', String(feeBasisPoints)],
    ...('feeRecipient' in fee ? ['--fee-recipient', fee.feeRecipient!] : []),
    '--yes',
  );
  const terms = { organizationId, network, settlementAddress, feeBasisPoints, ...fee };
  place.history.fact({ kind: 'terms', at: place.now(), ...terms });
}

async function joinOwner(place: Founding, of: readonly string[], number: number): Promise<Merchant['owner']> {
  const email = `owner-${number}@merchant.example`;
  const password = `a long password of owner ${number}`;
  const { link } = (await place.operator('owner', 'invite', ...of, '--email', email)) as { link: string };
  const cookies = new Map<string, string>();
  const send = async (method: 'GET' | 'POST', path: string, form?: Record<string, string>) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const answer = await place.call({ method, path, headers, ...(form && { form }) });
    if (answer === 'lost' || answer.status >= 400)
      throw new Error(`${path}: ${answer === 'lost' ? answer : answer.status}`);
    for (const [, name, value] of (answer.headers['set-cookie'] ?? '').matchAll(/(?:^|, )([\w-]+)=([^;,]*)/g))
      cookies.set(name!, value!);
    return answer;
  };
  await send('POST', new URL(link).pathname, { name: `Owner ${number}`, password });
  const page = await send('GET', '/app/second-factor/enrol');
  const authenticatorSecret = /id="secret"[^>]*>([A-Z2-7]+)</.exec(page.body as string)![1]!;
  const app = new TOTP({ secret: Secret.fromBase32(authenticatorSecret) });
  const new_code = app.generate({ timestamp: place.now() });
  await send('POST', '/app/second-factor/authenticator', { new_code });
  return { email, password, authenticatorSecret };
}
