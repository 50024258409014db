import type { ComponentChildren, VNode } from 'preact';
import type { OpenedWay } from '../checkout-page-model.js';
import type { PageView } from '../page-view.js';
import { AddressWay } from './address-way.js';
import { BrowserWallet } from './browser-wallet.js';
import { CodeWay } from './code-way.js';
import { OptionChoice } from './option-choice.js';

/**
 * The payment methods, one of them open. Links open the others, so that they work without JavaScript and survive every refresh. The
 * browser script turns the links into tabs.
 */
export function WaysToPay(view: PageView): VNode {
  const { model, text } = view;
  const { selected, way } = model;
  return (
    <>
      <nav class="tabs" aria-label={text.howToPay}>
        <WayTab way="address" isOpen={way === 'address'} label={text.anyWallet} />
        <WayTab way="code" isOpen={way === 'code'} label={text.paymentCode} />
        {selected !== undefined && <WayTab way="browser" label={text.thisBrowser} isHidden />}
      </nav>
      <Panel way="address" isOpen={way === 'address'}>
        {selected === undefined ? (
          <>
            <OptionChoice options={model.options} text={text} language={view.language} />
            <p class="note">{text.chooseNote}</p>
          </>
        ) : (
          <AddressWay {...view} selected={selected} />
        )}
      </Panel>
      <Panel way="code" isOpen={way === 'code'}>
        <CodeWay {...view} />
      </Panel>
      {selected !== undefined && (
        <Panel way="browser">
          <BrowserWallet {...view} selected={selected} />
        </Panel>
      )}
    </>
  );
}

interface WayTabProps {
  readonly way: OpenedWay;
  readonly label: string;
  readonly isOpen?: boolean;
  readonly isHidden?: boolean;
}

function WayTab({ way, label, isOpen, isHidden }: WayTabProps): VNode {
  return (
    <a
      id={`tab-${way}`}
      href={`?pay=${way}`}
      data-way={way}
      aria-current={isOpen === true ? 'true' : undefined}
      hidden={isHidden}
    >
      {label}
    </a>
  );
}

interface PanelProps {
  readonly way: OpenedWay;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

function Panel({ way, isOpen, children }: PanelProps): VNode {
  return (
    <div class="way" id={`way-${way}`} hidden={isOpen !== true}>
      {children}
    </div>
  );
}
