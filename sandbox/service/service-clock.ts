import { OperatorSession } from '#app/operator/operator-session.js';
import { waitUntil } from '../processes/child-process.js';

/** A database that was killed is back within seconds. */
const ANSWERS_WITHIN_MS = 10_000;

export interface ServiceClock {
  readonly time: Date;
  /** True where the clock was moved ahead of real time. */
  readonly isMoved: boolean;
}

/** Reads the clock as it is now. @throws the database's error where it does not answer in time */
export async function readServiceClock(databaseUrl: string): Promise<ServiceClock> {
  let clock: ServiceClock | undefined;
  const isRead = async () => (clock = await show(databaseUrl).catch(() => undefined)) !== undefined;
  await waitUntil(isRead, { timeoutMs: ANSWERS_WITHIN_MS, everyMs: 200 });
  return clock ?? show(databaseUrl);
}

async function show(databaseUrl: string): Promise<ServiceClock> {
  const operator = new OperatorSession({ environment: { DATABASE_URL: databaseUrl }, actor: 'sandbox' });
  const shown = await operator.run<{ service_time: string; ahead_seconds: number }>('clock', 'show');
  return { time: new Date(shown.service_time), isMoved: shown.ahead_seconds > 0 };
}
