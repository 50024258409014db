import type { PaymentPage } from './payment-page.js';

/** Message from the payment page (docs/reference/hosted-page.md, "Messages"). */
export interface PageMessage {
  readonly type: 'payment-collection';
  readonly event: 'ready' | 'status' | 'close';
  readonly session_id: string;
  readonly status?: string;
  readonly fulfilled?: boolean;
}

type Received = Pick<MessageEvent, 'source' | 'origin' | 'data'>;

/** Window name that enables messages. The page posts them to the origin in the name if the point of sale lists this origin. */
export function windowName({ session }: PaymentPage): string {
  return `payment-collection ${location.origin} ${session}`;
}

/**
 * Returns the message of an event. Any window can post to the shop's page, so the message must come from the opened window and the page's
 * origin, and must be about the page's session.
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
