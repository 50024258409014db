import type { PaymentPage } from './payment-page.js';

/** The payer's page posts these (docs/reference/hosted-page.md, "Messages"). */
export interface PageMessage {
  readonly type: 'payment-collection';
  readonly event: 'ready' | 'status' | 'close';
  readonly session_id: string;
  readonly status?: string;
  readonly fulfilled?: boolean;
}

type Received = Pick<MessageEvent, 'source' | 'origin' | 'data'>;

/** A window whose name begins with this word and the shop's origin is posted to, where the point of sale lists that origin. */
export function windowName({ session }: PaymentPage): string {
  return `payment-collection ${location.origin} ${session}`;
}

/**
 * Any window may post to the shop's page. A message counts that came from the very window that was opened, from the page's
 * origin, about the page's session.
 */
export function messageOf(
  { origin, session }: Pick<PaymentPage, 'origin' | 'session'>,
  opened: unknown,
  { source, origin: sender, data }: Received,
): PageMessage | undefined {
  if (!source || source !== opened || sender !== origin) return undefined;
  const message = data as Partial<PageMessage> | null;
  const isOurs = message?.type === 'payment-collection' && message.session_id === session;
  return isOurs ? (message as PageMessage) : undefined;
}
