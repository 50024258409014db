import { waitUntil } from '#sandbox/processes/child-process.js';
import type { RpcProxy } from '../../support/rpc/rpc-proxy.js';
import type { Ask, RpcAnswer, RpcCall } from '../../support/rpc/rpc-wire.js';
import type { KillWorld } from './kill-world.js';

/** A step that a worker is killed right after: it is held there, so that where it dies is no matter of luck. */
export interface KillPoint {
  readonly name: string;
  /** Before anything is ordered. */
  arm(world: KillWorld): Promise<Armed>;
}

export interface Armed {
  /** True while the worker stands there. @param sending id of the order; null before it is known */
  isReached(sending: string | null): Promise<boolean>;
  /** Once the worker is dead. */
  letGo(): Promise<void>;
}

/** No worker stands there for as long as this. */
const WITHIN_MS = 60_000;

/** @param find the sending, as soon as there is one */
export async function reached(armed: Armed, find: () => Promise<string | null>): Promise<void> {
  const isThere = await waitUntil(async () => armed.isReached(await find()), {
    timeoutMs: WITHIN_MS,
    everyMs: 20,
  });
  if (!isThere) throw new Error('The worker did not come to the step.');
}

/** Every sending has these, in their order. */
export const SENDER_POINTS: readonly KillPoint[] = [
  {
    name: 'reserved',
    // The first fees are asked for once it is reserved; plans ask for them before that.
    arm: async (world) =>
      held(world.proxy, { method: 'eth_maxPriorityFeePerGas', when: 'before' }, () => world.hasReserved()),
  },
  {
    // Its bytes exist in the worker's memory alone: the statement that stores them waits for a lock.
    name: 'signed',
    async arm(world) {
      const lock = await world.lockAttempts();
      return { isReached: () => world.isStoringAnAttempt(), letGo: () => lock.release() };
    },
  },
  {
    name: 'stored',
    arm: async ({ proxy }) => held(proxy, { method: 'eth_sendRawTransaction', when: 'before' }),
  },
  {
    name: 'sent',
    async arm(world) {
      await world.holdBlocks(true);
      const armed = held(world.proxy, { method: 'eth_sendRawTransaction', when: 'after' });
      return {
        isReached: (sending) => armed.isReached(sending),
        async letGo() {
          await armed.letGo();
          await world.holdBlocks(false);
        },
      };
    },
  },
  {
    name: 'mined',
    arm: async (world) =>
      held(world.proxy, { method: 'eth_getTransactionReceipt', when: 'after' }, ({ params }) =>
        world.isAttempt(String(params[0])),
      ),
  },
  {
    name: 'recorded',
    arm: async (world) => ({
      isReached: async (sending) => sending !== null && (await world.state(sending)) === 'mined',
      letGo: async () => undefined,
    }),
  },
];

export interface HeldMethod {
  readonly method: string;
  /** Before the node is asked, or after it has answered. */
  readonly when: 'before' | 'after';
}

/** Keeps the worker waiting for the answer to a method. @param concerns which of its calls are meant; all unless given */
export function held(
  proxy: RpcProxy,
  { method, when }: HeldMethod,
  concerns: (call: RpcCall) => Promise<boolean> = async () => true,
): Armed {
  let isHeld = false;
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const answer = async (call: RpcCall, ask: Ask): Promise<RpcAnswer> => {
    if (!(await concerns(call))) return ask(call);
    const good = when === 'after' ? await ask(call) : null;
    isHeld = true;
    await ended;
    return good ?? { error: { code: -32_000, message: 'the caller is dead' } };
  };
  const behave = proxy.misbehave({ name: `held ${method}`, methods: [method], answer });
  return {
    isReached: async () => isHeld,
    async letGo() {
      behave();
      end();
    },
  };
}
