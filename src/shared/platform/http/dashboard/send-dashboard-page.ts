import type { Response } from 'express';
import type { VNode } from 'preact';
import { DASHBOARD_ASSETS } from '../../../web/dashboard/dashboard-assets.js';
import { htmlDocument } from '../../../web/document/document-shell.js';
import { sendPage } from '../browsers/send-page.js';

/** Answers with a page of the dashboard, which is in English. */
export function sendDashboardPage(response: Response, page: VNode, status = 200): void {
  sendPage(response, { html: htmlDocument(page), language: 'en', assets: DASHBOARD_ASSETS, status });
}
