import type { Random } from '../random.js';
import type { Act, Merchant, World } from './world.js';

/** Commands that only read, or that are safe at any time. */
export const operatorActs: readonly Act[] = [
  command('run a settlement', 0.8, (world, _merchant, random) => {
    const dry = random.chance(0.3) ? ['--dry-run'] : ['--yes'];
    return ['settlement', 'run', world.network.network, ...dry];
  }),
  command('plan again what settlement set aside', 0.15, ({ network }) => [
    ...['settlement', 'retry', network.network],
  ]),
  command('look at what settlement does', 0.15, () => ['settlement', 'status']),
  {
    name: 'release a hold',
    weight: 0.15,
    async attempt(world, _merchant, random) {
      const told = await world.operator('hold', 'list');
      const holds =
        'printed' in told ? ((told.printed as { readonly data?: readonly Hold[] }).data ?? []) : [];
      if (holds.length === 0) return true;
      const { id, address } = random.oneOf(holds);
      world.note({ kind: 'released', at: world.now(), address });
      await world.operator('hold', 'release', id, '--reason', 'paid otherwise', '--yes');
      return true;
    },
  },
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
  {
    name: 'try parked events again',
    weight: 0.1,
    async attempt(world) {
      const told = await world.operator('events', 'list-parked');
      for (const subscriber of 'printed' in told ? fieldsIn(told.printed, 'subscriber').slice(0, 2) : [])
        await world.operator('events', 'retry', subscriber);
      return true;
    },
  },
  {
    name: 'try parked payment requests again',
    weight: 0.1,
    async attempt(world) {
      const told = await world.operator('requests', 'list-parked');
      for (const id of 'printed' in told ? fieldsIn(told.printed, 'payment_request_id').slice(0, 2) : [])
        await world.operator('requests', 'retry', id);
      return true;
    },
  },
];

function command(
  name: string,
  weight: number,
  wordsOf: (world: World, merchant: Merchant, random: Random) => readonly string[],
): Act {
  return {
    name,
    weight,
    async attempt(world, merchant, random) {
      await world.operator(...wordsOf(world, merchant, random));
      return true;
    },
  };
}

interface Hold {
  readonly id: string;
  readonly address: string;
}

interface Listed {
  readonly data?: readonly Record<string, unknown>[];
  readonly parked?: readonly Record<string, unknown>[];
}

/** The texts of one field of the listed records, without repetitions. */
function fieldsIn(printed: unknown, field: string): string[] {
  const { data = [], parked = data } = printed as Listed;
  const texts = parked.map((record) => record[field]);
  return [...new Set(texts.filter((text): text is string => typeof text === 'string'))];
}
