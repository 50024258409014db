import { Injectable } from '@nestjs/common';
import { invalidField } from '#shared/kernel/domain-error.js';
import { PublicHttpPost } from '../../contract/public-http-post.js';
import { WebhookTransport } from '../../domain/delivery/attempt.js';
import { ValidateWebhookUrl } from '../endpoints/validate-webhook-url.js';

@Injectable()
export class PostToPublicUrl extends PublicHttpPost {
  constructor(
    private readonly validateWebhookUrl: ValidateWebhookUrl,
    private readonly transport: WebhookTransport,
  ) {
    super();
  }

  async requirePublicUrl(field: string, url: string): Promise<void> {
    const checked = await this.validateWebhookUrl.validate(url);
    if ('rule' in checked) throw invalidField(field, checked.rule, checked.message);
  }

  async postJson(text: string, body: string): Promise<string | null> {
    const checked = await this.validateWebhookUrl.validate(text);
    if ('rule' in checked) return checked.rule === 'resolvable' ? 'unresolvable' : 'address_not_allowed';
    const { url, addresses } = checked;
    const headers = { 'Content-Type': 'application/json' };
    const { httpStatus, error } = await this.transport.post({ url, address: addresses[0]!, headers, body });
    if (error !== undefined) return error;
    return httpStatus! >= 200 && httpStatus! < 300 ? null : `http_${httpStatus}`;
  }
}
