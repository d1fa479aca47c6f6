package desk;

import web.Errors;
import web.Model;
import web.Page;

/** A controller whose collaborators are types of a library. */
public class CustomerDesk {
    private final Customers customers;

    public CustomerDesk(Customers customers) {
        this.customers = customers;
    }

    public String newCustomer() {
        return "customers/form";
    }

    public String create(Customer customer, Errors errors, Model model) {
        if (errors.hasErrors()) {
            model.addAttribute("error", "Please check your input.");
            return "customers/form";
        }
        customers.save(customer);
        model.addAttribute("message", "Customer created");
        return "redirect:/customers/" + customer.getId();
    }

    public String find(String name, int page, Errors errors, Model model) {
        Page<Customer> found = customers.findByName(name == null ? "" : name, page);
        if (found.isEmpty()) {
            errors.rejectValue("name", "notFound", "not found");
            return "customers/find";
        }
        if (found.getTotalElements() == 1) {
            return "redirect:/customers/" + found.iterator().next().getId();
        }
        model.addAttribute("customers", found.getContent());
        return "customers/list";
    }

    public Order pay(int id, int number) {
        Customer customer = customers.findById(id)
            .orElseThrow(() -> new IllegalArgumentException("No customer " + id));
        Order order = customer.getOrder(number);
        if (order == null) {
            throw new IllegalArgumentException("No order " + number);
        }
        order.setPaid(true);
        customers.save(customer);
        return order;
    }
}
