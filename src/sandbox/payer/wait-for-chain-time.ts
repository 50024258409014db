import { CannotStart, waitUntil } from '../processes/child-process.js';
import type { PayerWallet } from './payer-wallet.js';

const LOOK_EVERY_MS = 500;
/** A chain node that was killed is restarted within seconds. */
const SILENT_AT_MOST_MS = 60_000;

/** Waits until the newest block has this timestamp. @throws CannotStart when the chain no longer answers */
export async function waitForChainTime(
  wallet: Pick<PayerWallet, 'chainTime'>,
  until: Date,
  silentAtMostMs = SILENT_AT_MOST_MS,
): Promise<void> {
  let heardAt = performance.now();
  const isLate = async () => {
    const time = await wallet.chainTime().catch(() => undefined);
    const now = performance.now();
    if (time !== undefined) heardAt = now;
    if (now - heardAt > silentAtMostMs)
      throw new CannotStart('The chain does not answer any more: nothing was sent.');
    return time !== undefined && time >= until;
  };
  await waitUntil(isLate, { timeoutMs: Infinity, everyMs: LOOK_EVERY_MS });
}
