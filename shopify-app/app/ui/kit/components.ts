// Components from the Shopify admin's design system. Only this folder imports Polaris, so changing the design system
// doesn't affect any screen.
export {
  Banner,
  BlockStack,
  Box,
  Button,
  Card,
  Checkbox,
  ChoiceList,
  Combobox,
  DropZone,
  FormLayout,
  InlineGrid,
  InlineStack,
  Layout,
  Link,
  List,
  Listbox,
  Page,
  Select,
  Text,
  TextField,
} from '@shopify/polaris';
