/**
 * The attribute of an element whose text is copied or compared exactly: an address, an amount, an id, a secret or a hash. A
 * browser that translates the page leaves it as it is. Rendered as text, because `translate={false}` renders nothing.
 */
export const EXACT = { translate: 'no' } as unknown as { readonly translate: false };

/** The attributes of an input that takes such a text: phones change nothing of it. */
export const TYPED_EXACTLY = { autocapitalize: 'off', autocorrect: 'off', spellcheck: false } as const;
