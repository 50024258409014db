import type { Random } from '../random.js';
import { MINUTE_MS } from './answers.js';
import type { Act, World } from './world.js';

interface Sender {
  readonly unfinished: readonly { readonly id: string; readonly state: string; readonly purpose: string }[];
}

/** The operator looks after calls to the chain. */
export const sendingActs: readonly Act[] = [
  {
    name: 'give up a call that is not mined',
    weight: 1,
    async attempt(world, _merchant, random) {
      if (!(await giveUpCall(world, random))) comeBack(world, random, 4);
      return true;
    },
  },
];

function comeBack(world: World, random: Random, times: number): void {
  world.later(random.whole(1, 90) * MINUTE_MS, async () => {
    if (!(await giveUpCall(world, random)) && times > 1) comeBack(world, random, times - 1);
  });
}

/** Cancels a call that is not mined, one that pays a refund if there is any, by another one with its nonce. @returns false where there is none */
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
