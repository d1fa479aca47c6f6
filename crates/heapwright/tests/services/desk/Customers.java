package desk;

import web.Page;
import web.Repository;

/** The store of customers. */
public interface Customers extends Repository<Customer, Integer> {
    Page<Customer> findByName(String name, int page);
}
