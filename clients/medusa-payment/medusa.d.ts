/** Medusa types that the package uses. Used for type checks if Medusa is not installed. */
declare module '@medusajs/framework/types' {
  interface Input {
    data?: Record<string, unknown>;
    context?: { idempotency_key?: string };
  }
  interface Output {
    data?: Record<string, unknown>;
  }
  type Priced = Input & { amount: unknown; currency_code: string };
  type Status = 'authorized' | 'captured' | 'pending' | 'requires_more' | 'error' | 'canceled';

  export type InitiatePaymentInput = Priced;
  export type UpdatePaymentInput = Priced;
  export type AuthorizePaymentInput = Input;
  export type CapturePaymentInput = Input;
  export type RefundPaymentInput = Input & { amount: unknown };
  export type CancelPaymentInput = Input;
  export type DeletePaymentInput = Input;
  export type GetPaymentStatusInput = Input;
  export type RetrievePaymentInput = Input;
  export type InitiatePaymentOutput = Output & { id: string; status?: Status };
  export type UpdatePaymentOutput = Output;
  export type AuthorizePaymentOutput = Output & { status: Status };
  export type CapturePaymentOutput = Output;
  export type RefundPaymentOutput = Output;
  export type CancelPaymentOutput = Output;
  export type DeletePaymentOutput = Output;
  export type GetPaymentStatusOutput = Output & { status: Status };
  export type RetrievePaymentOutput = Output;
  export interface ProviderWebhookPayload {
    payload: { data: Record<string, unknown>; rawData: string | Buffer; headers: Record<string, unknown> };
  }
  export interface WebhookActionResult {
    action: string;
    data?: { session_id: string; amount: unknown };
  }
}

declare module '@medusajs/framework/utils' {
  export abstract class AbstractPaymentProvider<Options> {
    static identifier: string;
    static validateOptions(options: Record<string, unknown>): void;
    protected readonly config: Options;
    constructor(cradle: Record<string, unknown>, config?: Options);
  }
  type ErrorType = 'INVALID_DATA' | 'NOT_FOUND' | 'NOT_ALLOWED' | 'UNAUTHORIZED' | 'UNEXPECTED_STATE';
  export class MedusaError extends Error {
    static readonly Types: Readonly<Record<ErrorType, string>>;
    constructor(type: string, message: string);
  }
  export const Modules: Readonly<Record<'PAYMENT', string>>;
  export function ModuleProvider(module: string, provider: { services: unknown[] }): object;
}
