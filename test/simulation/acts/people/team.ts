import type { Random } from '../../random.js';
import { hasStatus, locationIn, textIn } from '../answers.js';
import { hex } from '../calls.js';
import { moneyMemoryOf } from '../money-memory.js';
import type { Merchant, World } from '../world.js';
import { Browser } from './browser.js';
import { nextCode } from './codes.js';
import type { Desk } from './desk.js';

const ROLES = ['owner', 'admin', 'developer', 'viewer', 'cashier'];

/** Invites a person, who mostly joins with an authenticator of their own. */
export async function invite(world: World, merchant: Merchant, desk: Desk, random: Random): Promise<void> {
  const email = `person-${hex(random, 4)}@shop.example`;
  const role = random.oneOf(ROLES);
  const page = await desk.shown(await desk.set('/app/team/invitations', { email, role }));
  const token = /\/app\/invitation\/([^"<\s]+)/.exec(page)?.[1];
  if (token === undefined) return;
  if (random.chance(0.2)) return withdraw(desk, page);
  if (random.chance(0.8)) await join(world, token, random);
  const [id] = idsOn(textIn(await desk.get('/app/team')), moneyMemoryOf(merchant).people.all());
  if (id !== undefined) moneyMemoryOf(merchant).people.put({ id, role });
}

/** Ends the access of a person, or lets them in again. */
export async function changePerson(merchant: Merchant, desk: Desk, random: Random): Promise<void> {
  const people = moneyMemoryOf(merchant).people.all();
  if (people.length === 0) return;
  const { id, role } = random.oneOf(people);
  const form = { role: random.chance(0.7) ? role : random.oneOf(ROLES.slice(1)) };
  await desk.set(`/app/team/${id}`, { ...form, ...(random.chance(0.3) && { enabled: 'on' }) });
}

async function withdraw(desk: Desk, page: string): Promise<void> {
  const path = /\/app\/team\/invitations\/[0-9a-f-]{36}\/withdraw/.exec(page)?.[0];
  if (path !== undefined) await desk.set(path);
}

async function join(world: World, token: string, random: Random): Promise<void> {
  const browser = new Browser(world, {});
  const form = { name: `Person ${hex(random, 2)}`, password: `pass-${hex(random, 8)}` };
  const joined = await browser.post(`/app/invitation/${token}`, form);
  if (locationIn(joined) === undefined) return;
  const page = textIn(await browser.get('/app/second-factor/enrol'));
  const secret = /id="secret"[^>]*>([A-Z2-7]+)</.exec(page)?.[1];
  const code = secret && nextCode({ secret, lastStep: 0 }, world.now());
  if (code === undefined) return;
  const enrolled = await browser.post('/app/second-factor/authenticator', { new_code: code });
  if (hasStatus(enrolled, 303)) await browser.get(random.oneOf(['/app', '/app/payments', '/app/team']));
}

/** People on the page of the team whom nobody has remembered; the first on it is the owner. */
function idsOn(page: string, known: readonly { readonly id: string }[]): string[] {
  const ids = [...page.matchAll(/action="\/app\/team\/([0-9a-f-]{36})"/g)].map(([, id]) => id!);
  return ids.slice(1).filter((id) => !known.some((one) => one.id === id));
}
