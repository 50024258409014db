import { outcomeOf } from '../../plugin-contract/src/order-states.js';
import { priceOf } from '../../plugin-contract/src/price.js';
import type { PaymentCollectionOptions } from './options.js';
import { SessionPayments } from './session-payments.js';
import { orderStateOf } from './session-status.js';

/** Entry of the provider in `medusa-config.ts`. */
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
/** Part of Medusa's container that the job uses. */
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

/** Keys of `Modules` in Medusa's framework. */
const PAYMENT_MODULE = 'payment';
const WORKFLOW_ENGINE = 'workflows';
const PROCESS_PAYMENT = 'process-payment-workflow';
const OPEN = ['pending', 'requires_more'];
const A_WEEK = 7 * 24 * 3_600_000;
const AT_ONCE = 1_000;

/**
 * Updates all open payment sessions from their payment requests. Replaces lost webhooks, because Medusa keeps a received webhook only in
 * memory, and webhooks that the service does not send, such as for `expired`. Call it in a scheduled job.
 * @param container Medusa's container, as passed to the job @param provider the provider's entry in `medusa-config.ts`
 */
export default async function catchUp(container: Container, provider: ProviderEntry): Promise<void> {
  const module = container.resolve(PAYMENT_MODULE) as PaymentModule;
  const log = container.resolve('logger') as Logger;
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
    // The payment request is still being created, or its creation got no response, so that it cannot be paid.
    if (session.data['payment_request_id'] === undefined) continue;
    // A session that fails must not prevent the job from updating the others.
    await settle(container, log, payments, session).catch((error: unknown) => {
      log.warn(`Payment session ${session.id} could not be updated: ${String(error)}`);
    });
  }
}

async function settle(container: Container, log: Logger, payments: SessionPayments, session: Session) {
  const module = container.resolve(PAYMENT_MODULE) as PaymentModule;
  const { id, amount, currency_code } = session;
  const context = { idempotency_key: id };
  const { status, data, payment } = await payments.authorize({ data: session.data, context });
  const order = {
    state: orderStateOf(session.payment_collection?.status),
    paymentId: data.payment_request_id,
    price: priceOf(amount, currency_code),
  };
  const { state, note } = outcomeOf(order, payment);
  // The data of a paid session shows the excess.
  const isNoted = note === undefined || note === 'received_more' || session.data['note'] === note;
  if (!isNoted) log.warn(`Payment session ${id}: ${note}, payment request ${payment.id}.`);
  if (state === 'paid') {
    const input = { action: status, data: { session_id: id, amount: data.amount } };
    await (container.resolve(WORKFLOW_ENGINE) as WorkflowEngine).run(PROCESS_PAYMENT, { input });
  } else if (state === 'unpaid' || state === 'refunded') {
    await module.updatePaymentSession({ id, data, amount, currency_code, status });
  } else if (!isNoted) {
    const noted = { ...session.data, note };
    await module.updatePaymentSession({ id, data: noted, amount, currency_code, status: session.status });
  }
}
