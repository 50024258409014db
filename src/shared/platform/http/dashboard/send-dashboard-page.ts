import type { Response } from 'express';
import type { VNode } from 'preact';
import { DASHBOARD_ASSETS } from '#shared/web/dashboard/dashboard-page.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { sendPage } from '../browsers/send-page.js';
import type { FormRefusal } from './form-refusal.js';

/**
 * Answers with a page of the dashboard, which is in English.
 * @param why the status, or the refusal that has it, with the time to wait for where there is one
 */
export function sendDashboardPage(
  response: Response,
  page: VNode,
  why: number | Pick<FormRefusal, 'status' | 'retryAfterSeconds'> = 200,
): void {
  const { status, retryAfterSeconds } = typeof why === 'number' ? { status: why } : why;
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
  sendPage(response, { html: htmlDocument(page), language: 'en', assets: DASHBOARD_ASSETS, status });
}
