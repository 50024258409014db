import type { Translations } from '../../messages/languages.js';

/** Translations for accounts, branding and API keys. */
export const ACCOUNT_BRANDING_KEY_WORDS = {
  'Create account': ['Crear una cuenta', 'Criar uma conta'],
  'Accounts, oldest first': ['Cuentas, primero las más antiguas', 'Contas, primeiro as mais antigas'],
  'No accounts.': ['No hay cuentas.', 'Não há contas.'],
  'An account is a part of your organization with its own balance.': [
    'Una cuenta es una parte de tu organización con su propio saldo.',
    'Uma conta é uma parte da sua organização com saldo próprio.',
  ],
  'An account has its own balance. It can collect payments immediately, under the settlement terms of the organization.':
    [
      'Una cuenta tiene su propio saldo. Puede cobrar de inmediato, con las condiciones de liquidación de la organización.',
      'Uma conta tem saldo próprio. Ela pode receber pagamentos imediatamente, com as condições de liquidação da organização.',
    ],
  'External id': ['Id externo', 'Id externo'],
  'External id (optional)': ['Id externo (opcional)', 'Id externo (opcional)'],
  'Your own id for the account. It must be unique in the organization and cannot be reused, even after the account is deleted.':
    [
      'Tu propio id de la cuenta. Debe ser único en la organización y no se puede reutilizar, ni siquiera si se elimina la cuenta.',
      'Seu próprio id para a conta. Deve ser único na organização e não pode ser reutilizado, mesmo depois que a conta for excluída.',
    ],
  'Underpayment tolerance in % of the price (optional)': [
    'Tolerancia de pago insuficiente en % del precio (opcional)',
    'Tolerância a pagamento a menos em % do preço (opcional)',
  ],
  'At most {most}. It covers the fees that exchanges deduct.': [
    'Como máximo {most}. Cubre las comisiones que descuentan las plataformas de intercambio.',
    'No máximo {most}. Cobre as taxas que as corretoras descontam.',
  ],
  'Maximum tolerance': ['Tolerancia máxima', 'Tolerância máxima'],
  'Applies to payment requests created from now on.': [
    'Se aplica a las solicitudes de pago que se creen a partir de ahora.',
    'Vale para as solicitações de pagamento criadas a partir de agora.',
  ],
  'Currency of the maximum': ['Moneda del máximo', 'Moeda do máximo'],
  'Account created. It can collect payments now.': [
    'Cuenta creada. Ya puede cobrar.',
    'Conta criada. Ela já pode receber pagamentos.',
  ],
  'Account updated. Existing transactions keep their external id.': [
    'Cuenta actualizada. Las transacciones existentes conservan su id externo.',
    'Conta atualizada. As transações existentes mantêm o id externo.',
  ],
  'Account deleted. Its history stays available.': [
    'Cuenta eliminada. Su historial sigue disponible.',
    'Conta excluída. O histórico continua disponível.',
  ],
  'Underpayment tolerance': ['Tolerancia de pago insuficiente', 'Tolerância a pagamento a menos'],
  '{percent} % of the price, at most {most}': [
    '{percent} % del precio, máximo {most}',
    '{percent} % do preço, no máximo {most}',
  ],
  Branding: ['Imagen', 'Identidade visual'],
  'Support contact': ['Contacto de soporte', 'Contato de suporte'],
  'Email address or https:// address. Payers see it on every page, for example after an incomplete payment.':
    [
      'Correo electrónico o dirección https://. Los pagadores la ven en todas las páginas, por ejemplo tras un pago incompleto.',
      'E-mail ou endereço https://. Os pagadores o veem em todas as páginas, por exemplo após um pagamento incompleto.',
    ],
  'Name, logo and colour that payers see': [
    'Nombre, logotipo y color que ven los pagadores',
    'Nome, logotipo e cor que os pagadores veem',
  ],
  'Account id': ['Id de la cuenta', 'Id da conta'],
  'Name, external id and underpayment tolerance': [
    'Nombre, id externo y tolerancia de pago insuficiente',
    'Nome, id externo e tolerância a pagamento a menos',
  ],
  'Delete permanently': ['Eliminar definitivamente', 'Excluir definitivamente'],
  'This also deletes its points of sale and keys. The history stays available.': [
    'También se eliminan sus puntos de venta y claves. El historial sigue disponible.',
    'Os pontos de venda e as chaves também são excluídos. O histórico continua disponível.',
  ],
  'To confirm, type the account name: {name}': [
    'Para confirmar, escribe el nombre de la cuenta: {name}',
    'Para confirmar, digite o nome da conta: {name}',
  ],
  'Delete account': ['Eliminar la cuenta', 'Excluir a conta'],
  '{count} open payment request (wait until it ends)|{count} open payment requests (wait until they end)': [
    '{count} solicitud de pago abierta (espera a que termine)|{count} solicitudes de pago abiertas (espera a que terminen)',
    '{count} solicitação de pagamento aberta (espere que termine)|{count} solicitações de pagamento abertas (espere que terminem)',
  ],
  '{count} active payment link (deactivate it)|{count} active payment links (deactivate them)': [
    '{count} enlace de pago activo (desactívalo)|{count} enlaces de pago activos (desactívalos)',
    '{count} link de pagamento ativo (desative-o)|{count} links de pagamento ativos (desative-os)',
  ],
  '{count} active webhook (deactivate or delete it)|{count} active webhooks (deactivate or delete them)': [
    '{count} webhook activo (desactívalo o elimínalo)|{count} webhooks activos (desactívalos o elimínalos)',
    '{count} webhook ativo (desative-o ou exclua-o)|{count} webhooks ativos (desative-os ou exclua-os)',
  ],
  '{count} open subscription (revoke it)|{count} open subscriptions (revoke them)': [
    '{count} suscripción abierta (revócala)|{count} suscripciones abiertas (revócalas)',
    '{count} assinatura aberta (revogue-a)|{count} assinaturas abertas (revogue-as)',
  ],
  '{count} open refund (cancel it, or wait until it is paid)|{count} open refunds (cancel the pending refunds and wait for the others)':
    [
      '{count} reembolso abierto (cancélalo o espera a que se pague)|{count} reembolsos abiertos (cancela los pendientes y espera a los demás)',
      '{count} reembolso aberto (cancele-o ou espere que seja pago)|{count} reembolsos abertos (cancele os pendentes e espere pelos outros)',
    ],
  '{count} open refund float withdrawal (wait until it ends, or ask the operator to cancel it)|{count} open refund float withdrawals (wait until they end, or ask the operator to cancel them)':
    [
      '{count} retiro abierto del fondo de reembolsos (espera a que termine o pide al operador que lo cancele)|{count} retiros abiertos del fondo de reembolsos (espera a que terminen o pide al operador que los cancele)',
      '{count} retirada aberta do fundo de reembolsos (espere que termine ou peça ao operador que a cancele)|{count} retiradas abertas do fundo de reembolsos (espere que terminem ou peça ao operador que as cancele)',
    ],
  'unsettled funds in {assets}': ['fondos sin liquidar en {assets}', 'valores não liquidados em {assets}'],
  'the organization has no other account': [
    'la organización no tiene otra cuenta',
    'a organização não tem outra conta',
  ],
  'The account cannot be deleted yet, because:': [
    'La cuenta todavía no se puede eliminar porque:',
    'A conta ainda não pode ser excluída porque:',
  ],
  'Branding for all accounts': ['Imagen de todas las cuentas', 'Identidade visual de todas as contas'],
  'Branding for {name}': ['Imagen de {name}', 'Identidade visual de {name}'],
  'Display name (optional)': ['Nombre visible (opcional)', 'Nome visível (opcional)'],
  'Your name on receipts and in emails. Payment pages show the merchant name of the point of sale.': [
    'Tu nombre en recibos y correos. Las páginas de pago muestran el nombre del comercio del punto de venta.',
    'Seu nome em recibos e e-mails. As páginas de pagamento mostram o nome do comerciante do ponto de venda.',
  ],
  'Appears on receipts.': ['Aparece en los recibos.', 'Aparece nos recibos.'],
  'Postal address (optional)': ['Dirección postal (opcional)', 'Endereço postal (opcional)'],
  'Appears on receipts. At most {lines} lines.': [
    'Aparece en los recibos. Como máximo {lines} líneas.',
    'Aparece nos recibos. No máximo {lines} linhas.',
  ],
  'PNG, JPEG or WebP, at most {size} kB and {pixels} pixels wide and high. Shown on white. Metadata such as location and colour profile is removed.':
    [
      'PNG, JPEG o WebP, de {size} kB y {pixels} píxeles de ancho y alto como máximo. Se muestra sobre blanco. Se eliminan metadatos como la ubicación y el perfil de color.',
      'PNG, JPEG ou WebP, com no máximo {size} kB e {pixels} pixels de largura e altura. Exibido sobre branco. Metadados como localização e perfil de cor são removidos.',
    ],
  'Branding updated. Pages show it within ten seconds.': [
    'Imagen actualizada. Las páginas la muestran en diez segundos.',
    'Identidade visual atualizada. As páginas a mostram em até dez segundos.',
  ],
  Preview: ['Vista previa', 'Prévia'],
  'Payment, refund, subscription and receipt pages and emails to payers use this logo and colour. The merchant name always appears next to the logo. Payment codes do not change.':
    [
      'Las páginas de pago, reembolso, suscripción y recibo y los correos a los pagadores usan este logotipo y color. El nombre del comercio siempre aparece junto al logotipo. Los códigos de pago no cambian.',
      'As páginas de pagamento, reembolso, assinatura e recibo e os e-mails aos pagadores usam este logotipo e esta cor. O nome do comerciante sempre aparece ao lado do logotipo. Os códigos de pagamento não mudam.',
    ],
  'Accounts use these values for every field they do not set themselves. To set them for an account, open its branding.':
    [
      'Las cuentas usan estos valores en los campos que no definen. Para definirlos en una cuenta, abre su imagen.',
      'As contas usam estes valores nos campos que não definem. Para defini-los em uma conta, abra a identidade visual dela.',
    ],
  'Blank fields use the values of {all}. Back to {account}.': [
    'Los campos en blanco usan los valores de {all}. Volver a {account}.',
    'Os campos em branco usam os valores de {all}. Voltar para {account}.',
  ],
  'all accounts': ['todas las cuentas', 'todas as contas'],
  'Name, tax id, address, colour, logo and support contact': [
    'Nombre, número fiscal, dirección, color, logotipo y contacto de soporte',
    'Nome, número fiscal, endereço, cor, logotipo e contato de suporte',
  ],
  'It also disappears from emails already sent.': [
    'También desaparece de los correos ya enviados.',
    'Ele também some dos e-mails já enviados.',
  ],
  'Remove logo': ['Quitar logotipo', 'Remover logotipo'],
  'On a light background': ['Sobre fondo claro', 'Sobre fundo claro'],
  'On a dark background': ['Sobre fondo oscuro', 'Sobre fundo escuro'],
  'Pay {amount}': ['Pagar {amount}', 'Pagar {amount}'],
  '{ground}: {colour}, as you chose.': [
    '{ground}: {colour}, como elegiste.',
    '{ground}: {colour}, como você escolheu.',
  ],
  '{ground}: buttons use your colour. Text, links and outlines use {shown}, because {colour} has a contrast of {contrast} and text needs {least}.':
    [
      '{ground}: los botones usan tu color. Los textos, enlaces y contornos usan {shown}, porque {colour} tiene un contraste de {contrast} y los textos necesitan {least}.',
      '{ground}: os botões usam sua cor. Textos, links e contornos usam {shown}, porque {colour} tem contraste de {contrast} e textos precisam de {least}.',
    ],
  'Create key': ['Crear una clave', 'Criar uma chave'],
  'Create API key': ['Crear una clave de API', 'Criar uma chave de API'],
  'API keys, oldest first': [
    'Claves de API, primero las más antiguas',
    'Chaves de API, primeiro as mais antigas',
  ],
  'No API keys yet.': ['Todavía no hay claves de API.', 'Ainda não há chaves de API.'],
  'Your software calls the API with a key and its secret.': [
    'Tu software llama a la API con una clave y su secreto.',
    'Seu software chama a API com uma chave e o segredo dela.',
  ],
  'Key id': ['Id de la clave', 'Id da chave'],
  Roles: ['Roles', 'Papéis'],
  Scope: ['Alcance', 'Alcance'],
  'The whole organization': ['Toda la organización', 'Toda a organização'],
  'Allowed IP addresses': ['Direcciones IP permitidas', 'Endereços IP permitidos'],
  any: ['cualquiera', 'qualquer'],
  'Last used': ['Último uso', 'Último uso'],
  'Purpose of the key.': ['Para qué se usa la clave.', 'Para que a chave é usada.'],
  'Reads all data in its scope.': ['Lee todos los datos de su alcance.', 'Lê todos os dados do seu alcance.'],
  'Creates and changes data, but cannot read it.': [
    'Crea y modifica datos, pero no los lee.',
    'Cria e altera dados, mas não os lê.',
  ],
  'One account or the whole organization.': [
    'Una cuenta o toda la organización.',
    'Uma conta ou toda a organização.',
  ],
  'IP addresses or CIDR ranges, one per line': [
    'Direcciones IP o rangos CIDR, uno por línea',
    'Endereços IP ou faixas CIDR, um por linha',
  ],
  'IP addresses or CIDR ranges, one per line. Leave blank to allow any. Your address is {address}.': [
    'Direcciones IP o rangos CIDR, uno por línea. Déjalo en blanco para permitir cualquiera. Tu dirección es {address}.',
    'Endereços IP ou faixas CIDR, um por linha. Deixe em branco para permitir qualquer um. Seu endereço é {address}.',
  ],
  'Leave blank to allow any address. Your address is {address}.': [
    'Déjalo en blanco para permitir cualquier dirección. Tu dirección es {address}.',
    'Deixe em branco para permitir qualquer endereço. Seu endereço é {address}.',
  ],
  'Do not allow my address, {address}': [
    'No permitir mi dirección, {address}',
    'Não permitir meu endereço, {address}',
  ],
  'Key "{name}" created': ['Clave "{name}" creada', 'Chave "{name}" criada'],
  'The secret is displayed only once. Store it where your software reads its secrets.': [
    'El secreto se muestra una sola vez. Guárdalo donde tu software lee sus secretos.',
    'O segredo é exibido uma única vez. Guarde-o onde seu software lê os segredos.',
  ],
  'API key id': ['Id de la clave de API', 'Id da chave de API'],
  'API secret': ['Secreto de la API', 'Segredo da API'],
  'I saved it': ['Ya lo guardé', 'Já o guardei'],
  'Key updated. The change applies from its next request.': [
    'Clave actualizada. El cambio se aplica desde su próxima petición.',
    'Chave atualizada. A alteração vale a partir da próxima requisição.',
  ],
  'The secret has already been displayed. If you lost it, delete this key and create a new one.': [
    'El secreto ya se mostró. Si lo perdiste, elimina esta clave y crea otra.',
    'O segredo já foi exibido. Se você o perdeu, exclua esta chave e crie outra.',
  ],
  'Key enabled.': ['Clave habilitada.', 'Chave habilitada.'],
  'Key disabled. The key and its tokens no longer work.': [
    'Clave deshabilitada. La clave y sus tokens ya no funcionan.',
    'Chave desabilitada. A chave e os tokens dela não funcionam mais.',
  ],
  Enable: ['Habilitar', 'Habilitar'],
  Disable: ['Deshabilitar', 'Desabilitar'],
  'Name and roles': ['Nombre y roles', 'Nome e papéis'],
  'Software that uses this key stops working. This cannot be undone.': [
    'El software que use esta clave dejará de funcionar. No se puede deshacer.',
    'O software que usa esta chave deixará de funcionar. Não é possível desfazer.',
  ],
  'To confirm, type the key name: {name}': [
    'Para confirmar, escribe el nombre de la clave: {name}',
    'Para confirmar, digite o nome da chave: {name}',
  ],
  'Delete key': ['Eliminar la clave', 'Excluir a chave'],
  'The dashboard shows times in this zone to everyone in the organization. The books and the analytics use UTC.':
    [
      'El panel muestra las horas en esta zona a toda la organización. La contabilidad y las estadísticas usan UTC.',
      'O painel mostra os horários neste fuso para toda a organização. A contabilidade e as estatísticas usam UTC.',
    ],
  'Time zone updated for everyone in the organization.': [
    'Zona horaria actualizada para toda la organización.',
    'Fuso horário atualizado para toda a organização.',
  ],
  'All currencies': ['Todas las monedas', 'Todas as moedas'],
  'Prices in other currencies have no tolerance.': [
    'Los precios en otras monedas no tienen tolerancia.',
    'Preços em outras moedas não têm tolerância.',
  ],
  'Set a support contact: payers with a problem ask there. Without one, you cannot be approved for production.':
    [
      'Indica un contacto de soporte: ahí preguntan los pagadores que tienen un problema. Sin él no se aprueba tu cuenta para producción.',
      'Informe um contato de suporte: é a ele que recorrem os pagadores com um problema. Sem ele, você não é aprovado para produção.',
    ],
  'Use your own colour': ['Usar un color propio', 'Usar uma cor própria'],
  Colour: ['Color', 'Cor'],
  'Used for buttons, and for text and links in a shade that stays readable.': [
    'Se usa en los botones, y en textos y enlaces en un tono legible.',
    'Usada em botões, e em textos e links em um tom legível.',
  ],
} as const satisfies Translations;
