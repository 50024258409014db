import type { VNode } from 'preact';
import { isolated } from '#shared/web/formatting/plain-text.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import { qrImage, QrPicture } from '#shared/web/parts/qr-code.js';
import { walletHref } from '#shared/web/safe-links.js';
import type { PageView } from '../page-view.js';

export function CodeWay({ model, phase, text, price }: PageView): VNode {
  const { selected } = model;
  const code = qrImage(model.token);
  const asked =
    selected && phase === 'partlyPaid' ? shownAsset(selected.missingAmount, selected.symbol) : price;
  return (
    <>
      <p class="note">{selected === undefined ? text.codeChooseNote : text.codeNote}</p>
      {code !== undefined && <QrPicture image={code} label={text.tokenQr(asked)} />}
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
        <Copyable id="token" label={text.codeToCopy} value={model.token} text={text} cut />
      </dl>
    </>
  );
}
