import { describe, expect, it } from '@jest/globals';
import type { VNode } from 'preact';
import { OWNER } from '#test/support/page-visitor.js';
import { newId } from '#shared/kernel/ids.js';
import { withLanguage } from '#shared/web/dashboard/words/text.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { SubscriptionsController } from './subscriptions.controller.js';

describe('The form of a new subscription', () => {
  it.each([
    ['the assets of all points of sale', 1, ['USDC']],
    ['every asset while it does not list all points of sale', 2, ['USDC', 'DAI']],
  ])('offers %s', async (_, total, offered) => {
    const items = [{ id: newId(), name: 'Shop', paymentOptions: ['USDC'] }];
    const assets = ['USDC', 'DAI'].map((symbol) => ({ uniqueAssetId: symbol, symbol, network: 'sandbox' }));
    const parts = [
      {},
      { searchChoices: async () => ({ items, total }) },
      { assets: () => assets, network: () => undefined },
    ];
    const controller = new SubscriptionsController(
      ...(parts as never as [never, never, never, never, never, never]),
    );

    const { page } = (await controller.showForm(OWNER as never)) as unknown as { page: VNode };

    const html = htmlDocument(withLanguage('en', page));
    expect([...html.matchAll(/(\w+) on sandbox/g)].map(([, symbol]) => symbol)).toEqual(offered);
  });
});
