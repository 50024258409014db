import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError, RateLimited } from '../../../../shared/kernel/domain-error.js';
import { languageOf, sendPage } from './page-answer.js';
import { renderErrorPage } from './pages/hosted-pages.js';

/**
 * Tells a payer in a page what went wrong. A choice that came too late or is none leads back to the page, which shows
 * why or what there is to choose; so does an address with more than the page's own in it, as trackers add.
 */
@Catch(DomainError)
export class PageErrors implements ExceptionFilter {
  catch(error: DomainError, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const page = pageOf(request.path);
    const isElsewhere = request.method === 'POST' || request.originalUrl !== page;
    if (isElsewhere && (error.kind === 'conflict' || error.kind === 'invalid')) {
      response.redirect(303, page);
      return;
    }
    const status = error.kind === 'rate_limited' ? 429 : error.kind === 'unavailable' ? 503 : 404;
    if (status !== 404) response.setHeader('Retry-After', retryAfter(error));
    const language = languageOf(request);
    sendPage(response, { html: renderErrorPage(status, language), language, status });
  }
}

function retryAfter(error: DomainError): string {
  return String(error instanceof RateLimited ? error.retryAfterSeconds : 1);
}

/** `/checkout/{id}` of whatever lies below it. */
function pageOf(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}
