/** How much merchants may register. Each event is queued once for each webhook, so what one registers all must bear. */
export abstract class WebhookLimits {
  /** Webhooks of an account, active or not. */
  abstract readonly perAccount: number;
}
