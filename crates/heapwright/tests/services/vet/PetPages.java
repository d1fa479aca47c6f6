package vet;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

@Controller
@RequestMapping("/pages/pets")
public class PetPages {
    private final Pets pets;

    public PetPages(Pets pets) {
        this.pets = pets;
    }

    @GetMapping("/{id}")
    public String show(@PathVariable long id, Model model) {
        Pet pet = pets.findById(id).orElse(null);
        if (pet == null) {
            return "pets/missing";
        }
        model.addAttribute("pet", pet);
        model.addAttribute("title", "Pet " + pet.name());
        return "pets/show";
    }

    @PostMapping("/{id}/remove")
    public String remove(@PathVariable long id, @RequestParam(required = false) String back) {
        pets.delete(id);
        return "redirect:" + (back == null ? "/pages/pets" : "/" + back);
    }
}
