import type { WebhookId } from '#shared/kernel/ids.js';

export const SECRET_PREFIX = 'whsec_';

/** A secret as it is stored: useless without the key of that id, and under any other webhook's id. */
export interface SealedSecret {
  readonly keyId: string;
  readonly bytes: Buffer;
}

/** Makes and keeps the secrets that deliveries are signed with. */
export abstract class WebhookSecrets {
  /** A fresh secret, `whsec_` and 44 random letters and digits (262 bits), with its stored form. It is shown once. */
  abstract issue(webhook: WebhookId): { secret: string; sealed: SealedSecret };
  /** @returns null when the key is gone or the stored bytes are not that webhook's */
  abstract open(webhook: WebhookId, sealed: SealedSecret): string | null;
}
