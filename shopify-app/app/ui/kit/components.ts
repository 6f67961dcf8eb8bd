// Components of the Shopify admin's design system. Only this folder imports Polaris, so a change of the design system affects no
// screen.
export {
  Banner,
  BlockStack,
  Box,
  Button,
  Card,
  Checkbox,
  FormLayout,
  InlineGrid,
  InlineStack,
  Layout,
  Link,
  List,
  Page,
  Select,
  Text,
  TextField,
} from '@shopify/polaris';
