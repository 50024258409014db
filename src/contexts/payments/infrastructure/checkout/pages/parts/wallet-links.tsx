import type { VNode } from 'preact';
import { isolated } from '#shared/web/formatting/plain-text.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import { walletHref } from '#shared/web/safe-links.js';
import type { PageView } from '../page-view.js';

/** A link for each wallet of the settings that has a safe one, and the token to copy. */
export function WalletLinks({ model, text }: PageView): VNode {
  return (
    <>
      <ul class="wallets">
        {model.wallets.map(({ name, url }, index) => {
          const href = walletHref(url);
          return (
            href !== undefined && (
              <li>
                <a class="button" id={`wallet-${index}`} href={href}>
                  {text.openIn(isolated(name))}
                </a>
              </li>
            )
          );
        })}
      </ul>
      <dl class="facts">
        <Copyable id="token" label={text.paymentCode} value={model.token} text={text} cut />
      </dl>
    </>
  );
}
