import type { RegisteredWebhookDto } from '../../contexts/webhooks/infrastructure/http/webhook.dto.js';
import { ApiClient } from '../demonstration/api-client.js';
import type { SandboxFile } from '../folder/sandbox-folder.js';

/** @throws ApiRefused, ApiUnreachable */
export function registerWebhook(
  api: ApiClient,
  accountId: string,
  { url, description }: { url: string; description: string },
): Promise<RegisteredWebhookDto> {
  const body = { url, event_type: 'payment_request', description };
  return api.post<RegisteredWebhookDto>(`/v1/account/${accountId}/webhook`, body);
}

/** A webhook of the sandbox's account for as long as somebody listens. */
export class SandboxWebhook {
  private constructor(
    private readonly api: ApiClient,
    /** Deletes it, with DELETE. */
    readonly path: string,
    readonly id: string,
    readonly secret: string,
  ) {}

  /** @throws ApiRefused, ApiUnreachable */
  static async register(sandbox: SandboxFile, url: string): Promise<SandboxWebhook> {
    const { api_url, api_key, api_secret, account_id } = sandbox;
    const api = new ApiClient(api_url, { apiKey: api_key, apiSecret: api_secret });
    const { id, secret } = await registerWebhook(api, account_id, { url, description: 'npm run listen' });
    return new SandboxWebhook(api, `/v1/account/${account_id}/webhook/${id}/delete`, id, secret);
  }

  /** @throws ApiRefused, ApiUnreachable */
  async delete(): Promise<void> {
    await this.api.delete(this.path);
  }
}
