import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import { waitUntil } from '../processes/child-process.js';

/** A killed database restarts within seconds. */
const ANSWERS_WITHIN_MS = 10_000;

export interface ServiceClock {
  readonly time: Date;
  /** True if the clock was moved ahead of real time. */
  readonly isMoved: boolean;
}

/** @throws the database's error if it does not respond in time */
export async function readServiceClock(databaseUrl: string): Promise<ServiceClock> {
  let clock: ServiceClock | undefined;
  const isRead = async () => (clock = await show(databaseUrl).catch(() => undefined)) !== undefined;
  await waitUntil(isRead, { timeoutMs: ANSWERS_WITHIN_MS, everyMs: 200 });
  return clock ?? show(databaseUrl);
}

async function show(databaseUrl: string): Promise<ServiceClock> {
  const operator = new OperatorCommandRunner({
    environment: { DATABASE_URL: databaseUrl },
    actor: 'sandbox',
  });
  const shown = await operator.run<{ service_time: string; ahead_seconds: number }>('clock', 'show');
  return { time: new Date(shown.service_time), isMoved: shown.ahead_seconds > 0 };
}
