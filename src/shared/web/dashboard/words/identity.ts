import type { Translations } from './translation.js';

/** Accounts, branding and API keys. */
export const IDENTITY_WORDS = {
  'Create an account': ['Crear una cuenta', 'Criar uma conta'],
  'Create the account': ['Crear la cuenta', 'Criar a conta'],
  'Accounts, oldest first': ['Cuentas, primero las más antiguas', 'Contas, primeiro as mais antigas'],
  'No account here.': ['Aquí no hay ninguna cuenta.', 'Não há nenhuma conta aqui.'],
  'An account is a part of the organization whose money is kept apart.': [
    'Una cuenta es una parte de la organización cuyo dinero se lleva aparte.',
    'Uma conta é uma parte da organização cujo dinheiro é mantido à parte.',
  ],
  'A part of the organization whose money is kept apart. It collects at once, under the settlement terms of the organization.':
    [
      'Una parte de la organización cuyo dinero se lleva aparte. Cobra de inmediato, con las condiciones de liquidación de la organización.',
      'Uma parte da organização cujo dinheiro é mantido à parte. Cobra de imediato, com as condições de liquidação da organização.',
    ],
  'External id': ['Id externo', 'Id externo'],
  'External id (optional)': ['Id externo (opcional)', 'Id externo (opcional)'],
  'Your own id of it, unique in the organization for good: a deleted account keeps its.': [
    'El id propio de la cuenta, único en la organización para siempre: una cuenta eliminada conserva el suyo.',
    'O id próprio da conta, único na organização para sempre: uma conta excluída mantém o seu.',
  ],
  'Accepted shortfall, in basis points of the price (optional)': [
    'Faltante aceptado, en puntos básicos del precio (opcional)',
    'Falta aceita, em pontos-base do preço (opcional)',
  ],
  'At most {most}; 100 are 1 %. Exchanges deduct a fee from what their customers send.': [
    'Como máximo {most}; 100 son el 1 %. Las plataformas descuentan una comisión de lo que envían sus clientes.',
    'No máximo {most}; 100 são 1 %. As corretoras descontam uma taxa do que seus clientes enviam.',
  ],
  'And never more than': ['Y nunca más de', 'E nunca mais de'],
  'Applies to payment requests that are created from now on.': [
    'Se aplica a las solicitudes de pago que se creen a partir de ahora.',
    'Aplica-se aos pedidos de pagamento criados a partir de agora.',
  ],
  'Currency of this maximum': ['Moneda de este máximo', 'Moeda deste máximo'],
  'For example USD. Prices in another currency then accept no shortfall. Leave blank for prices in any currency.':
    [
      'Por ejemplo, USD. Los precios en otra moneda no admiten entonces ninguna diferencia. Déjelo en blanco para cualquier moneda.',
      'Por exemplo, USD. Os preços em outra moeda não aceitam então nenhuma diferença. Deixe em branco para qualquer moeda.',
    ],
  'The account is created, and can collect.': [
    'La cuenta se creó y puede cobrar.',
    'A conta foi criada e pode cobrar.',
  ],
  'The account is changed. Transactions posted before keep the external id of their day.': [
    'La cuenta se cambió. Los asientos anteriores conservan el id externo de su día.',
    'A conta foi alterada. Os lançamentos anteriores mantêm o id externo do seu dia.',
  ],
  'The account is deleted. Its history stays readable.': [
    'La cuenta se eliminó. Su historial sigue siendo legible.',
    'A conta foi excluída. Seu histórico continua legível.',
  ],
  'Accepted shortfall': ['Faltante aceptado', 'Falta aceita'],
  '{points} basis points of the price, at most {most}': [
    '{points} puntos básicos del precio, como máximo {most}',
    '{points} pontos-base do preço, no máximo {most}',
  ],
  Branding: ['Imagen', 'Identidade visual'],
  'Name, logo and colour before payers': [
    'Nombre, logotipo y color ante los pagadores',
    'Nome, logotipo e cor diante dos pagadores',
  ],
  'Account id': ['Id de la cuenta', 'Id da conta'],
  'Name, external id and accepted shortfall': [
    'Nombre, id externo y faltante aceptado',
    'Nome, id externo e falta aceita',
  ],
  'Delete for good': ['Eliminar para siempre', 'Excluir para sempre'],
  'Its points of sale and keys go with it; its history stays readable.': [
    'Sus puntos de venta y claves se van con ella; su historial sigue siendo legible.',
    'Seus pontos de venda e chaves vão com ela; seu histórico continua legível.',
  ],
  'Type the name of the account: {name}': [
    'Escribir el nombre de la cuenta: {name}',
    'Digite o nome da conta: {name}',
  ],
  'Delete the account': ['Eliminar la cuenta', 'Excluir a conta'],
  'It cannot be deleted yet. In the way:': [
    'Todavía no se puede eliminar. Lo impide:',
    'Ainda não pode ser excluída. O que impede:',
  ],
  'Branding of all accounts': ['Imagen de todas las cuentas', 'Identidade visual de todas as contas'],
  'Branding of {name}': ['Imagen de {name}', 'Identidade visual de {name}'],
  'Display name (optional)': ['Nombre visible (opcional)', 'Nome visível (opcional)'],
  'Names you on receipts and in mails. A payment page names the merchant of its point of sale.': [
    'Es el nombre en recibos y correos. Una página de pago nombra al comercio de su punto de venta.',
    'É o nome em recibos e e-mails. Uma página de pagamento traz o comerciante do seu ponto de venda.',
  ],
  'Stands on receipts.': ['Figura en los recibos.', 'Aparece nos recibos.'],
  'Postal address (optional)': ['Dirección postal (opcional)', 'Endereço postal (opcional)'],
  'Stands on receipts. At most {lines} lines.': [
    'Figura en los recibos. Como máximo {lines} líneas.',
    'Aparece nos recibos. No máximo {lines} linhas.',
  ],
  'Colour (optional)': ['Color (opcional)', 'Cor (opcional)'],
  '# and six hexadecimal digits, like #1d4ed8. Buttons have it; texts and links too, darkened or lightened until they can be read.':
    [
      '# y seis dígitos hexadecimales, como #1d4ed8. Lo llevan los botones; también textos y enlaces, oscurecido o aclarado hasta que se puedan leer.',
      '# e seis dígitos hexadecimais, como #1d4ed8. Os botões a usam; textos e links também, escurecida ou clareada até que possam ser lidos.',
    ],
  Image: ['Archivo de imagen', 'Arquivo de imagem'],
  'PNG, JPEG or WebP of at most {size} kB and {pixels} pixels wide and high. Colour profiles, places, times and other notes in the file are left out. It stands on white.':
    [
      'PNG, JPEG o WebP de como máximo {size} kB y {pixels} píxeles de ancho y alto. Los perfiles de color, lugares, horas y otras notas del archivo se omiten. Va sobre blanco.',
      'PNG, JPEG ou WebP de no máximo {size} kB e {pixels} pixels de largura e altura. Perfis de cor, lugares, horários e outras notas do arquivo são omitidos. Fica sobre branco.',
    ],
  'Changed. Pages show it within ten seconds.': [
    'Cambiado. Las páginas lo muestran en diez segundos.',
    'Alterado. As páginas mostram em dez segundos.',
  ],
  'The logo is changed. Pages show it within ten seconds.': [
    'El logotipo se cambió. Las páginas lo muestran en diez segundos.',
    'O logotipo foi alterado. As páginas mostram em dez segundos.',
  ],
  'The logo is removed. Mails that were sent lose it too.': [
    'El logotipo se quitó. Los correos ya enviados también lo pierden.',
    'O logotipo foi removido. Os e-mails já enviados também o perdem.',
  ],
  'As payers see it': ['Como lo ven los pagadores', 'Como os pagadores veem'],
  'Pages for checkouts, links, refunds, subscriptions and receipts, and mails to payers, have this logo and colour. The merchant’s name always stands beside the logo, and payment codes stay as they are.':
    [
      'Las páginas de pagos, enlaces, reembolsos, suscripciones y recibos, y los correos a pagadores, llevan este logotipo y color. El nombre del comercio siempre va junto al logotipo, y los códigos de pago quedan como están.',
      'As páginas de pagamentos, links, reembolsos, assinaturas e recibos, e os e-mails a pagadores, levam este logotipo e esta cor. O nome do comerciante sempre fica ao lado do logotipo, e os códigos de pagamento ficam como estão.',
    ],
  'Each account shows these, field by field, unless it has its own: open the account and its branding.': [
    'Cada cuenta muestra estos, campo por campo, salvo que tenga los suyos: abrir la cuenta y su imagen.',
    'Cada conta mostra estes, campo por campo, a menos que tenha os seus: abra a conta e sua identidade visual.',
  ],
  'A field that is empty here shows the one of {all}. Back to {account}.': [
    'Un campo vacío aquí muestra el de {all}. Volver a {account}.',
    'Um campo vazio aqui mostra o de {all}. Voltar para {account}.',
  ],
  'all accounts': ['todas las cuentas', 'todas as contas'],
  'Name, tax id, address and colour': [
    'Nombre, número fiscal, dirección y color',
    'Nome, número fiscal, endereço e cor',
  ],
  Logo: ['Logotipo', 'Logotipo'],
  'Set the logo': ['Fijar el logotipo', 'Definir o logotipo'],
  'Replace the logo': ['Reemplazar el logotipo', 'Substituir o logotipo'],
  'Remove the logo': ['Quitar el logotipo', 'Remover o logotipo'],
  'On a light ground': ['Sobre fondo claro', 'Sobre fundo claro'],
  'On a dark ground': ['Sobre fondo oscuro', 'Sobre fundo escuro'],
  'Pay {amount}': ['Pagar {amount}', 'Pagar {amount}'],
  '{ground}: {colour}, as chosen.': [
    '{ground}: {colour}, como se eligió.',
    '{ground}: {colour}, como foi escolhida.',
  ],
  '{ground}: buttons as chosen; texts, links and outlines are {shown}, since {colour} has a contrast of {contrast} there, and texts need {least}.':
    [
      '{ground}: botones como se eligió; textos, enlaces y contornos son {shown}, pues {colour} tiene allí un contraste de {contrast}, y los textos necesitan {least}.',
      '{ground}: botões como foi escolhido; textos, links e contornos são {shown}, pois {colour} tem ali um contraste de {contrast}, e os textos precisam de {least}.',
    ],
  'Create a key': ['Crear una clave', 'Criar uma chave'],
  'Create an API key': ['Crear una clave de API', 'Criar uma chave de API'],
  'Create the key': ['Crear la clave', 'Criar a chave'],
  'API keys, oldest first': [
    'Claves de API, primero las más antiguas',
    'Chaves de API, primeiro as mais antigas',
  ],
  'No key yet.': ['Todavía no hay ninguna clave.', 'Ainda não há nenhuma chave.'],
  'A program calls the API by a key and its secret.': [
    'Un programa llama a la API con una clave y su secreto.',
    'Um programa chama a API com uma chave e seu segredo.',
  ],
  'Key id': ['Id de la clave', 'Id da chave'],
  Roles: ['Roles', 'Papéis'],
  Scope: ['Alcance', 'Alcance'],
  'The whole organization': ['Toda la organización', 'Toda a organização'],
  'Allowed addresses': ['Direcciones permitidas', 'Endereços permitidos'],
  any: ['cualquiera', 'qualquer'],
  'Last use': ['Último uso', 'Último uso'],
  'What it is for.': ['Para qué sirve.', 'Para que serve.'],
  'Reads everything in its scope.': ['Lee todo lo de su alcance.', 'Lê tudo no seu alcance.'],
  'Creates and changes; it does not read.': ['Crea y cambia; no lee.', 'Cria e altera; não lê.'],
  'One account, or the whole organization.': [
    'Una cuenta, o toda la organización.',
    'Uma conta, ou toda a organização.',
  ],
  'Addresses or CIDR ranges, one on each line': [
    'Direcciones o rangos CIDR, uno por línea',
    'Endereços ou faixas CIDR, um por linha',
  ],
  'Addresses or CIDR ranges, one on each line; none: any. You are at {address}.': [
    'Direcciones o rangos CIDR, uno por línea; ninguno: cualquiera. La dirección actual es {address}.',
    'Endereços ou faixas CIDR, um por linha; nenhum: qualquer. O endereço atual é {address}.',
  ],
  'None: any address. You are at {address}.': [
    'Ninguna: cualquier dirección. La actual es {address}.',
    'Nenhum: qualquer endereço. O atual é {address}.',
  ],
  'Keep {address} out': ['Dejar fuera {address}', 'Deixar {address} de fora'],
  'Key "{name}" is created': ['La clave "{name}" se creó', 'A chave "{name}" foi criada'],
  'The secret is shown only now: loading this page again does not show it. Keep it where your program reads its secrets.':
    [
      'El secreto se muestra solo ahora: al cargar de nuevo esta página no se muestra. Guardarlo donde el programa lee sus secretos.',
      'O segredo é mostrado só agora: ao carregar esta página de novo não aparece. Guarde-o onde o programa lê seus segredos.',
    ],
  'API key id': ['Id de la clave de API', 'Id da chave de API'],
  'API secret': ['Secreto de la API', 'Segredo da API'],
  'I have kept it': ['Ya está guardado', 'Já o guardei'],
  'The change acts on the next request of the key.': [
    'El cambio vale desde la próxima petición de la clave.',
    'A alteração vale a partir da próxima requisição da chave.',
  ],
  'Its secret was shown, and cannot be shown again. If it is lost, delete this key and create another.': [
    'Su secreto ya se mostró y no se puede mostrar de nuevo. Si se pierde, eliminar esta clave y crear otra.',
    'Seu segredo já foi mostrado e não pode ser mostrado de novo. Se for perdido, exclua esta chave e crie outra.',
  ],
  'The key works again.': ['La clave funciona de nuevo.', 'A chave funciona de novo.'],
  'The key is refused from now on, and so are its tokens.': [
    'La clave se rechaza desde ahora, y también sus tokens.',
    'A chave é recusada a partir de agora, e seus tokens também.',
  ],
  Enable: ['Habilitar', 'Habilitar'],
  Disable: ['Deshabilitar', 'Desabilitar'],
  'Name and roles': ['Nombre y roles', 'Nome e papéis'],
  'Programs that use it are refused from then on. There is no way back.': [
    'Los programas que la usan se rechazan desde entonces. No hay vuelta atrás.',
    'Os programas que a usam são recusados a partir de então. Não há volta.',
  ],
  'Type the name of the key: {name}': [
    'Escribir el nombre de la clave: {name}',
    'Digite o nome da chave: {name}',
  ],
  'Delete the key': ['Eliminar la clave', 'Excluir a chave'],
  'In which the dashboard shows times, to all people of the organization. Books and figures stay in UTC.': [
    'En ella muestra las horas el panel, a todas las personas de la organización. Libros y cifras siguen en UTC.',
    'Nele o painel mostra os horários, a todas as pessoas da organização. Livros e números continuam em UTC.',
  ],
  'The time zone is set. All people of the organization read times in it.': [
    'La zona horaria está fijada. Todas las personas de la organización ven las horas en ella.',
    'O fuso horário foi definido. Todas as pessoas da organização veem os horários nele.',
  ],
} as const satisfies Translations;
