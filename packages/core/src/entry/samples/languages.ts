import type { CertificateRequest } from '../request/schema.ts';
import { completeRequest } from './requests.ts';

/** Names and addresses in each script that a certificate can contain. */
export const scripts = {
  latin: ['Road Bicycle Helmet', 'Shenzhen Velo Safety Co., Ltd.', '88 Keyuan Road, Nanshan District, Shenzhen, China'],
  vietnamese: [
    'Mũ bảo hiểm xe đạp',
    'Công ty TNHH An Toàn Việt',
    'Số 12 đường Nguyễn Huệ, Quận 1, Hồ Chí Minh, Vietnam',
  ],
  greek: ['Κράνος ποδηλάτου (ενηλίκων)', 'Ασφάλεια Α.Ε.', 'Λεωφόρος Κηφισίας 44, Αθήνα, Greece'],
  cyrillic: ['Шлем велосипедный «Вело»', 'ООО «Безопасность»', 'ул. Ленина, 5, Москва, Russia'],
  chinese: ['自行车头盔（成人款）', '深圳市维乐安全用品有限公司', '南山区科苑路88号, 深圳市, 广东省, China'],
  traditional: ['自行車安全帽（成人款）', '臺灣騎士安全股份有限公司', '市府路1號, 臺北市, Taiwan'],
  japanese: ['自転車用ヘルメット（大人用）', '東京安全株式会社', '丸の内一丁目1番, 千代田区, 東京都, Japan'],
  korean: ['자전거 헬멧 (성인용)', '서울안전 주식회사', '강남구 테헤란로 123, 서울특별시, South Korea'],
  arabic: [
    'خوذة دراجة RB-200 (للبالغين، 55–59 سم)',
    'شركة السلامة المحدودة [وحدة 7]',
    'شارع الملك فهد 12, الرياض 12345, Saudi Arabia',
  ],
  hebrew: ['קסדת אופניים RB-200 (למבוגרים, 55–59 ס״מ)', 'בטיחות בע״מ [יחידה 7]', 'רחוב הרצל 12, תל אביב 61000, Israel'],
  thai: ['หมวกกันน็อกจักรยาน น้ำหนักเบา สำหรับผู้ใหญ่', 'บริษัท ความปลอดภัย จำกัด', '123 ถนนสุขุมวิท, แขวงคลองเตย กรุงเทพฯ, Thailand'],
  lao: ['ໝວກກັນກະທົບ ນ້ຳໜັກເບົາ (ຜູ້ໃຫຍ່)', 'ບໍລິສັດ ຄວາມປອດໄພ ຈຳກັດ', 'ຖະໜົນ ນ້ຳພຸ 12, ວຽງຈັນ, Laos'],
  khmer: ['មួកសុវត្ថិភាពកង់ (មនុស្សពេញវ័យ)', 'ក្រុមហ៊ុន សុវត្ថិភាព', 'ផ្លូវ ១២, ភ្នំពេញ, Cambodia'],
  myanmar: ['စက်ဘီးဦးထုပ် (လူကြီး)', 'လုံခြုံရေး ကုမ္ပဏီ', '၁၂ ကမ်းနားလမ်း, ရန်ကုန်, Myanmar'],
  devanagari: ['साइकिल हेलमेट (वयस्क)', 'सुरक्षा प्राइवेट लिमिटेड', '12 महात्मा गांधी मार्ग, मुंबई, India'],
  bengali: ['সাইকেল হেলমেট (প্রাপ্তবয়স্ক)', 'নিরাপত্তা লিমিটেড', '১২ গুলশান এভিনিউ, ঢাকা, Bangladesh'],
  gurmukhi: ['ਸਾਈਕਲ ਹੈਲਮਟ (ਬਾਲਗ)', 'ਸੁਰੱਖਿਆ ਲਿਮਟਿਡ', '12 ਮਾਲ ਰੋਡ, ਲੁਧਿਆਣਾ, India'],
  gujarati: ['સાયકલ હેલ્મેટ (પુખ્ત)', 'સુરક્ષા લિમિટેડ', '12 આશ્રમ રોડ, અમદાવાદ, India'],
  tamil: ['மிதிவண்டி தலைக்கவசம் (பெரியவர்)', 'பாதுகாப்பு நிறுவனம்', '12 அண்ணா சாலை, சென்னை, India'],
  telugu: ['సైకిల్ హెల్మెట్ (పెద్దలు)', 'భద్రత సంస్థ', '12 బంజారా హిల్స్, హైదరాబాద్, India'],
  kannada: ['ಸೈಕಲ್ ಹೆಲ್ಮೆಟ್ (ವಯಸ್ಕರು)', 'ಸುರಕ್ಷತಾ ಸಂಸ್ಥೆ', '12 ಮಹಾತ್ಮ ಗಾಂಧಿ ರಸ್ತೆ, ಬೆಂಗಳೂರು, India'],
  malayalam: ['സൈക്കിൾ ഹെൽമെറ്റ് (മുതിർന്നവർ)', 'സുരക്ഷാ ലിമിറ്റഡ്', '12 മറൈൻ ഡ്രൈവ്, കൊച്ചി, India'],
  sinhala: ['බයිසිකල් හිස්වැසුම (වැඩිහිටි)', 'ආරක්ෂණ සමාගම', '12 ගාලු පාර, කොළඹ, Sri Lanka'],
  armenian: ['Հեծանվի սաղավարտ (մեծահասակ)', 'Անվտանգություն ՍՊԸ', 'Աբովյան 12, Երևան, Armenia'],
  georgian: ['ველოსიპედის ჩაფხუტი (ზრდასრული)', 'შპს უსაფრთხოება', 'რუსთაველის 12, თბილისი, Georgia'],
  ethiopic: ['የብስክሌት የራስ ቁር (ለአዋቂዎች)', 'ደህንነት ኃላፊነቱ የተወሰነ', 'ቦሌ መንገድ 12, አዲስ አበባ, Ethiopia'],
} as const;

/** Name of a script in {@link scripts}. */
export type Script = keyof typeof scripts;

/** Returns the complete sample request with the product and the manufacturer in a script. */
export function requestIn(script: Script): CertificateRequest {
  const [name, manufacturer, address] = scripts[script];
  const { city: _, state_province: __, postal_code: ___, country: ____, ...maker } = completeRequest.manufacturer;
  return {
    ...completeRequest,
    product_info: { ...completeRequest.product_info, name },
    manufacturer: { ...maker, name: manufacturer, address },
  };
}

/**
 * The complete sample request with sixty rules: known rules, standards, and two-line text. The certificate has three
 * pages.
 */
export const sixtyRules: CertificateRequest = {
  ...completeRequest,
  cpsc_rules_cited: Array.from({ length: 60 }, (_, at) => {
    if (at % 3 === 0) return `16 CFR ${1201 + at}`;
    return at % 3 === 1
      ? `ASTM F${900 + at}-2${at % 10}`
      : `UL ${300 + at}, the edition that the laboratory names in its report`;
  }),
  tests: [],
};
