import { Modules } from '@medusajs/framework/utils';
import type { PaymentCollectionOptions } from './options.js';
import { SessionPayments } from './session-payments.js';
import { isStillUnpaid, type SessionStatus } from './session-status.js';

/** The entry of the provider in `medusa-config.ts`. */
export interface ProviderEntry {
  readonly id: string;
  readonly options: PaymentCollectionOptions;
}
interface Session {
  readonly id: string;
  readonly status: string;
  readonly data: Record<string, unknown>;
  readonly amount: number;
  readonly currency_code: string;
  readonly payment_collection?: { readonly status: string } | null;
}
/** The part of Medusa's container that the job uses. */
interface Container {
  resolve(name: string): unknown;
}
interface PaymentModule {
  listPaymentSessions(filters: object, config: object): Promise<Session[]>;
  updatePaymentSession(change: object): Promise<unknown>;
}
interface WorkflowEngine {
  run(id: string, options: object): Promise<unknown>;
}
interface Logger {
  warn(message: string): void;
}

const PROCESS_PAYMENT = 'process-payment-workflow';
const OPEN = ['pending', 'requires_more'];
const A_WEEK = 7 * 24 * 3_600_000;
const AT_ONCE = 1_000;

/**
 * Reads the payments of all sessions that Medusa holds for open, and does what a webhook would have done: Medusa keeps a webhook that it
 * has acknowledged in memory, and of `expired` there is none. Run it by a scheduled job.
 * @param container of the job @param provider its entry in `medusa-config.ts`
 */
export default async function catchUp(container: Container, provider: ProviderEntry): Promise<void> {
  const module = container.resolve(Modules.PAYMENT) as PaymentModule;
  const payments = new SessionPayments(provider.options);
  const filters = {
    provider_id: `pp_payment-collection_${provider.id}`,
    status: OPEN,
    created_at: { $gte: new Date(Date.now() - A_WEEK) },
  };
  const sessions = await module.listPaymentSessions(filters, {
    take: AT_ONCE,
    relations: ['payment_collection'],
    order: { created_at: 'DESC' },
  });
  for (const session of sessions) {
    // Its creation is under way, or was never answered: nobody knows where to pay.
    if (session.data['payment_request_id'] === undefined) continue;
    // One that cannot be read, or whose cart cannot be completed, does not keep the others from being looked at.
    await settle(container, module, payments, session).catch((error: unknown) => {
      const logger = container.resolve('logger') as Logger;
      logger.warn(`Payment session ${session.id} was not caught up: ${String(error)}`);
    });
  }
}

async function settle(
  container: Container,
  module: PaymentModule,
  payments: SessionPayments,
  session: Session,
) {
  const { id, amount, currency_code } = session;
  const context = { idempotency_key: id };
  const { status, data } = await payments.authorize({ data: session.data, context });
  if (isPaid(status)) {
    const input = { action: status, data: { session_id: id, amount: data.amount } };
    await (container.resolve(Modules.WORKFLOW_ENGINE) as WorkflowEngine).run(PROCESS_PAYMENT, { input });
  } else if (!OPEN.includes(status) && isStillUnpaid(session.payment_collection?.status)) {
    await module.updatePaymentSession({ id, data, amount, currency_code, status });
  }
}

function isPaid(status: SessionStatus): boolean {
  return status === 'captured' || status === 'authorized';
}
