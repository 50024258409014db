import type { Scope } from '#shared/kernel/scope.js';
import type { WebhookApi } from './webhook-api.js';

export interface EventsAnswer {
  readonly httpStatus: number;
  readonly data: {
    readonly data: {
      readonly id: string;
      readonly occurred_at: string;
      readonly event_type: string;
      readonly account_id: string;
      readonly payment_request_id: string;
      readonly fulfilled?: boolean;
      readonly body: string;
    }[];
    readonly has_more: boolean;
    readonly next_after?: string;
  };
  readonly code?: string;
  readonly errors?: object[];
}

/**
 * `GET /v1/events`, without the id of the request.
 * @param query with its question mark, or empty
 * @param scope whose the caller's credential is; that of the home organization unless it is set
 */
export async function readEvents(
  { app, home }: WebhookApi,
  query: string,
  scope: Scope = { organizationId: home.organizationId, accountId: null },
): Promise<EventsAnswer> {
  const response = await fetch(`${await app.getUrl()}/v1/events${query}`, {
    headers: { 'x-test-scope': JSON.stringify(scope) },
  });
  const { request_id: _, ...answer } = (await response.json()) as Record<string, unknown>;
  return { httpStatus: response.status, ...answer } as unknown as EventsAnswer;
}
