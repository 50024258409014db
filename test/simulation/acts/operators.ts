import type { Random } from '../random.js';
import { act, type Act, type Merchant, type World } from './world.js';
import { MINUTE_MS } from './calls.js';

export const operatorActs: readonly Act[] = [
  command('run a settlement', 0.8, (world, _merchant, random) => {
    const dry = random.chance(0.3) ? ['--dry-run'] : ['--yes'];
    return ['settlement', 'run', world.network.network, ...dry];
  }),
  command('plan again what settlement set aside', 0.15, ({ network }) => [
    ...['settlement', 'retry', network.network],
  ]),
  command('look at what settlement does', 0.15, () => ['settlement', 'status']),
  act('release a hold', 0.15, async (world, _merchant, random) => {
    const told = await world.operator('hold', 'list');
    const holds = 'printed' in told ? ((told.printed as { readonly data?: readonly Hold[] }).data ?? []) : [];
    if (holds.length === 0) return;
    const { id, address } = random.oneOf(holds);
    world.note({ kind: 'released', at: world.now(), address });
    await world.operator('hold', 'release', id, '--reason', 'paid otherwise', '--yes');
  }),
  command('approve an organization', 0.1, (_world, { organizationId }) => [
    ...['organization', 'approve', organizationId, '--yes'],
  ]),
  command('look at refund floats', 0.15, (_world, { organizationId }) => [
    ...['float', 'status', '--organization', organizationId],
  ]),
  command('look at what is sent', 0.15, () => ['sender', 'status']),
  command('look at networks', 0.1, () => ['network', 'status']),
  command('list the terms of an organization', 0.1, (_world, { organizationId }, random) => [
    ...['settlement-terms', random.oneOf(['list', 'history']), '--organization', organizationId],
  ]),
  command('read the log of operators', 0.05, () => ['audit', 'list']),
  command('list the limits of refunds', 0.05, (_world, { organizationId }) => [
    ...['refund-limits', 'list', '--organization', organizationId],
  ]),
  command('verify what is stored', 0.05, () => ['verify']),
  command('make partitions of the event log ready', 0.05, () => ['partitions', 'ready']),
  command('count the figures of the overview anew', 0.03, () => ['figures', 'rebuild']),
  act('try parked events again', 0.1, async (world) => {
    const told = await world.operator('events', 'list-parked');
    for (const subscriber of 'printed' in told ? fieldsIn(told.printed, 'subscriber').slice(0, 2) : [])
      await world.operator('events', 'retry', subscriber);
  }),
  act('try parked payment requests again', 0.1, async (world) => {
    const told = await world.operator('requests', 'list-parked');
    for (const id of 'printed' in told ? fieldsIn(told.printed, 'payment_request_id').slice(0, 2) : [])
      await world.operator('requests', 'retry', id);
  }),
];

function command(
  name: string,
  weight: number,
  wordsOf: (world: World, merchant: Merchant, random: Random) => readonly string[],
): Act {
  return act(name, weight, async (world, merchant, random) => {
    await world.operator(...wordsOf(world, merchant, random));
  });
}

interface Hold {
  readonly id: string;
  readonly address: string;
}

interface Listed {
  readonly data?: readonly Record<string, unknown>[];
  readonly parked?: readonly Record<string, unknown>[];
}

function fieldsIn(printed: unknown, field: string): string[] {
  const { data = [], parked = data } = printed as Listed;
  const texts = parked.map((record) => record[field]);
  return [...new Set(texts.filter((text): text is string => typeof text === 'string'))];
}

interface Sender {
  readonly unfinished: readonly { readonly id: string; readonly state: string; readonly purpose: string }[];
}

export const sendingActs: readonly Act[] = [
  act('give up a call that is not mined', 1, async (world, _merchant, random) => {
    if (!(await giveUpCall(world, random))) comeBack(world, random, 4);
  }),
];

function comeBack(world: World, random: Random, times: number): void {
  world.later(random.whole(1, 90) * MINUTE_MS, async () => {
    if (!(await giveUpCall(world, random)) && times > 1) comeBack(world, random, times - 1);
  });
}

export async function giveUpCall(world: World, random: Random): Promise<boolean> {
  const told = await world.operator('sender', 'status');
  if (!('printed' in told)) return false;
  const senders = (told.printed as { readonly data?: readonly Sender[] }).data ?? (told.printed as Sender[]);
  const open = senders
    .flatMap(({ unfinished }) => unfinished)
    .filter(({ state }) => ['reserved', 'signed', 'broadcast'].includes(state));
  if (open.length === 0) return false;
  const refunds = open.filter(({ purpose }) => purpose === 'refund');
  const { id } = random.oneOf(refunds.length > 0 ? refunds : open);
  world.note({ kind: 'given up', at: world.now(), id });
  const ceiling = String(random.oneOf([20, 500, 2_000]));
  await world.operator('sender', 'cancel', world.network.network, id, '--fee-ceiling', ceiling, '--yes');
  return true;
}
