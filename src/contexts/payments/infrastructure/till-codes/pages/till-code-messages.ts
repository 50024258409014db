import type { Catalogue } from '#shared/web/messages/languages.js';

/** Texts of the page behind the printed code, beside those of the checkout's pages. */
export interface TillCodeTexts {
  readonly payHere: (merchant: string) => string;
  readonly nothingYet: string;
  readonly nothingYetNote: string;
  readonly typeAmount: string;
  readonly amountIn: (coin: string) => string;
  readonly coin: string;
  readonly goOn: string;
  readonly deleteDigit: string;
  readonly padLabel: string;
  readonly goOnNote: string;
  readonly gone: string;
  readonly goneNote: string;
  readonly ownPayment: (price: string) => string;
  readonly refused: Readonly<Record<string, string>>;
  readonly refusedOtherwise: string;
}

const en: TillCodeTexts = {
  payHere: (merchant) => `Pay at ${merchant}`,
  nothingYet: 'Nothing to pay yet',
  nothingYetNote: 'This page updates by itself once the cashier has entered your amount.',
  typeAmount: 'How much do you pay?',
  amountIn: (coin) => `Amount in ${coin}`,
  coin: 'Currency',
  goOn: 'Go on to pay',
  deleteDigit: 'Delete the last digit',
  padLabel: 'Digits',
  goOnNote: 'You choose on the next page what you pay with. The time to pay starts there.',
  gone: 'This payment was made, or its time is over',
  goneNote: 'Please ask at the till. This page updates by itself when there is something to pay again.',
  ownPayment: (price) => `Continue with your payment of ${price}`,
  refused: {
    not_a_decimal: 'Please type the amount in digits, without a sign between thousands, like 1250 or 12.50.',
    ambiguous_amount: 'This amount has two meanings. Please type it like 1250, 1.25 or 1.2500.',
    too_many_decimals: 'The amount has too many digits behind the point.',
    not_positive: 'Please type an amount above zero.',
    too_large: 'This amount is too large.',
    minimum_amount: 'This amount is too small to be paid.',
  },
  refusedOtherwise: 'This amount cannot be paid here.',
};

const es: TillCodeTexts = {
  payHere: (merchant) => `Pagar en ${merchant}`,
  nothingYet: 'Todavía no hay nada que pagar',
  nothingYetNote: 'Esta página se actualiza sola cuando la caja haya introducido el importe.',
  typeAmount: '¿Cuánto paga?',
  amountIn: (coin) => `Importe en ${coin}`,
  coin: 'Moneda',
  goOn: 'Continuar con el pago',
  deleteDigit: 'Borrar la última cifra',
  padLabel: 'Cifras',
  goOnNote: 'En la página siguiente elige con qué paga. El tiempo para pagar empieza allí.',
  gone: 'Este pago ya se hizo, o su tiempo terminó',
  goneNote: 'Pregunte en la caja. Esta página se actualiza sola cuando haya algo que pagar de nuevo.',
  ownPayment: (price) => `Continuar con su pago de ${price}`,
  refused: {
    not_a_decimal: 'Escriba el importe en cifras, sin separador de miles, como 1250 o 12,50.',
    ambiguous_amount: 'Este importe puede leerse de dos maneras. Escríbalo como 1250, 1,25 o 1,2500.',
    too_many_decimals: 'El importe tiene demasiadas cifras decimales.',
    not_positive: 'Escriba un importe mayor que cero.',
    too_large: 'Este importe es demasiado grande.',
    minimum_amount: 'Este importe es demasiado pequeño para pagarlo.',
  },
  refusedOtherwise: 'Este importe no se puede pagar aquí.',
};

const pt: TillCodeTexts = {
  payHere: (merchant) => `Pagar em ${merchant}`,
  nothingYet: 'Ainda não há nada a pagar',
  nothingYetNote: 'Esta página se atualiza sozinha quando o caixa tiver digitado o valor.',
  typeAmount: 'Quanto você paga?',
  amountIn: (coin) => `Valor em ${coin}`,
  coin: 'Moeda',
  goOn: 'Continuar para pagar',
  deleteDigit: 'Apagar o último dígito',
  padLabel: 'Dígitos',
  goOnNote: 'Na página seguinte você escolhe com que paga. O tempo para pagar começa ali.',
  gone: 'Este pagamento foi feito, ou o tempo dele acabou',
  goneNote: 'Pergunte no caixa. Esta página se atualiza sozinha quando houver de novo algo a pagar.',
  ownPayment: (price) => `Continuar com o seu pagamento de ${price}`,
  refused: {
    not_a_decimal: 'Digite o valor em algarismos, sem separador de milhares, como 1250 ou 12,50.',
    ambiguous_amount: 'Este valor pode ser lido de duas formas. Digite-o como 1250, 1,25 ou 1,2500.',
    too_many_decimals: 'O valor tem casas decimais demais.',
    not_positive: 'Digite um valor maior que zero.',
    too_large: 'Este valor é grande demais.',
    minimum_amount: 'Este valor é pequeno demais para ser pago.',
  },
  refusedOtherwise: 'Este valor não pode ser pago aqui.',
};

export const TILL_CODE_MESSAGES: Catalogue<TillCodeTexts> = { en, es, pt };
