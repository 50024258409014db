/** Texts of the button. `pay` is the label if the element has no content. */
const WORDS = {
  en: { pay: 'Pay with crypto', dialog: 'Payment', close: 'Close the payment' },
  es: { pay: 'Pagar con cripto', dialog: 'Pago', close: 'Cerrar el pago' },
  pt: { pay: 'Pagar com cripto', dialog: 'Pagamento', close: 'Fechar o pagamento' },
};

export type Wording = (typeof WORDS)['en'];

/** Returns the texts in the language of the nearest `lang` attribute. Default: English. */
export function wordingFor(button: Element): Wording {
  const language = button.closest('[lang]')?.getAttribute('lang')?.slice(0, 2).toLowerCase();
  return WORDS[language as keyof typeof WORDS] ?? WORDS.en;
}
