/** Sends to URLs that merchants entered, by the same rules as webhooks. */
export abstract class PublicHttpPost {
  /** @throws validation_failed on `field`, unless the URL leads only to public addresses */
  abstract requirePublicUrl(field: string, url: string): Promise<void>;
  /**
   * Posts JSON to public addresses only, without following redirects, within 2 seconds. Never throws. @returns null if
   * the status is 2xx; otherwise `http_` and the status, or a code of the attempt log
   */
  abstract postJson(url: string, body: string): Promise<string | null>;
}
